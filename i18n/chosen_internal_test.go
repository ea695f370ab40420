package i18n

import (
	"fmt"
	"strings"
	"testing"
)

// R-I03: strangers who send ever new headers fill no memory.
func TestChosenIsBounded(t *testing.T) {
	texts, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxChosen {
		texts.Language(fmt.Sprintf("uk-%d,de", i))
		texts.Language(strings.Repeat("uk,", maxKept) + fmt.Sprint(i))
		if len(texts.library.chosen) > maxChosen {
			t.Fatalf("%d headers are kept", len(texts.library.chosen))
		}
	}
	for header := range texts.library.chosen {
		if len(header) > maxKept {
			t.Fatalf("a header of %d bytes is kept", len(header))
		}
	}
}
