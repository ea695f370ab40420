package mcp

import (
	"strconv"
	"testing"
)

// What is kept is bounded in bytes, however many callers differ, and what was
// asked for last stays.
func TestKeptPages(t *testing.T) {
	var p pages
	text := make([]byte, keptPages/10)
	for i := range 100 {
		p.put(0, strconv.Itoa(i), text)
		if p.get(0, []byte("0")) == nil {
			t.Fatalf("the page in use was dropped for page %d", i)
		}
	}
	held := 0
	for i := range 100 {
		held += len(p.get(0, []byte(strconv.Itoa(i))))
	}
	if held != 9*len(text) || p.bytes > keptPages || len(p.byKey) != p.used.Len() {
		t.Errorf("%d bytes are kept, counted %d, %d keys and %d pages", held, p.bytes, len(p.byKey), p.used.Len())
	}
	if p.put(0, "huge", make([]byte, keptPages)); p.get(0, []byte("huge")) != nil || p.get(0, []byte("0")) == nil {
		t.Error("a page that never fits took the place of others")
	}
}

// A new revision of the texts ends what was rendered with the old one, also
// what is finished only then.
func TestPagesOfOldTexts(t *testing.T) {
	var p pages
	p.put(0, "a", []byte("old"))
	if p.get(1, []byte("a")) != nil || p.bytes != 0 {
		t.Error("an old page is given out")
	}
	p.put(0, "b", []byte("old"))
	if p.get(1, []byte("b")) != nil {
		t.Error("a page rendered with old texts is kept")
	}
	p.put(1, "a", []byte("new"))
	p.put(1, "a", []byte("new")) // two rendered it at once
	if string(p.get(1, []byte("a"))) != "new" || p.used.Len() != 1 {
		t.Error("the new page is not kept once")
	}
}
