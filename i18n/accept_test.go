package i18n_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/facet-rpc/facet/i18n"
)

// files makes a file system of names below translations and their texts.
func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out["translations/"+pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func load(tb testing.TB, fsys fstest.MapFS, options ...i18n.Option) *i18n.Texts {
	tb.Helper()
	texts, err := i18n.Load(fsys, options...)
	if err != nil {
		tb.Fatal(err)
	}
	return texts
}

const title = "M: {title: t}"

// R-I03. The ranges of RFC 9110 section 12.5.4, looked up as in RFC 4647
// section 3.4.
func TestLanguage(t *testing.T) {
	texts := load(t, files("rpc.de.yaml", title, "rpc.pt-BR.yaml", title, "rpc.zh-Hant.yaml", title, "rpc/mcp.ja.yaml", title))
	if want := []string{"en", "de", "ja", "pt-BR", "uk", "zh-Hant"}; !slices.Equal(texts.Languages(), want) {
		t.Fatalf("the languages are %q, want %q", texts.Languages(), want)
	}
	long := strings.Repeat("x-y,", 1<<14)
	for _, c := range []struct{ accept, want string }{
		{"", "en"},
		{"uk", "uk"},
		{"UK", "uk"},
		{"uk-UA", "uk"},
		{"uk-Cyrl-UA-x-a", "uk"},
		{"de-DE", "de"},                                                                // case H03: mozilla/send#586
		{"en,uk;q=0.7,da;q=0.3", "en"},                                                 // case H03: fiorix/freegeoip#248
		{"EN-us", "en"},                                                                // case H03: payloadcms/payload#15076
		{"da, de;q=0.8, en;q=0.9", "en"},                                               // by weight, not by place
		{"de;q=0.8, uk;q=0.8", "de"},                                                   // the first of equals
		{"uk;q=0.800, de;q=0.801", "de"},                                               // thousandths
		{"fr, uk ; q=0.5 ,de;\tQ=0.4", "uk"} /* spaces, q in any case */, {"ru", "en"}, // similar is not the same
		{"ru-UA, be;q=0.9", "en"},
		{"ukr", "en"},
		{"pt", "en"}, // lookup never adds a region
		{"pt-BR", "pt-BR"},
		{"pt-br-x-rio", "pt-BR"},
		{"zh-Hant-TW", "zh-Hant"},
		{"zh", "en"},
		{"zh-TW", "en"},
		{"ja-x-twain", "ja"},
		{"*", "en"},
		{"*, en;q=0", "de"},
		{"en;q=0, de;q=0, *;q=0.1", "ja"},
		{"*;q=0.5, uk;q=0.4", "en"},
		{"fr, *;q=0.1", "en"},
		{"uk;q=0", "en"},
		{"uk;q=0, *", "en"},
		{"uk-UA, uk;q=0", "en"},         // what it falls back to is refused
		{"uk-UA;q=0, uk", "uk"},         // a region refused is not the language
		{"uk;q=0.0, de;q=0.001", "de"},  // 0.0 is 0
		{"en;q=0, uk;q=0, *;q=0", "en"}, // nothing is left: as without a header
		{"uk;q=2, de;q=0.1", "de"},      // no weight, so no range
		{"uk;q=0.1234, de;q=0.1", "de"}, // four digits are none
		{"uk;q=, de;q=0.1", "de"},
		{"uk;q=-1, de;q=0.1", "de"},
		{"uk;q=NaN, de;q=0.1", "de"},
		{"uk;level=1, de;q=0.1", "de"},
		{"uk;q=1;q=0, de;q=0.1", "de"},
		{"uk_UA, de;q=0.1", "de"}, // no range
		{"укр, de;q=0.1", "de"},
		{"*-UA, de;q=0.1", "de"},
		{"-uk, uk-, u k, de;q=0.1", "de"},
		{"languages, de;q=0.1", "de"}, // nine letters
		{"\x00\xff\r\n, ;;;,,,, =, de;q=0.1", "de"},
		{strings.Repeat(",", 1<<16), "en"},
		{strings.Repeat("-", 1<<16), "en"},
		{strings.Repeat("a-", 1<<15) + "a", "en"},
		{"uk;q=0.9," + long, "uk"},
		{long + "uk", "en"}, // beyond what is read
		{strings.Repeat(" ", 5000) + "uk", "en"},
		{strings.Repeat("x,", 64) + "uk", "en"},
		{strings.Repeat("x,", 63) + "uk", "uk"},
		{strings.Repeat("de-AT-1996,", 1000), "de"},
	} {
		if got := texts.Language(c.accept); got != c.want {
			t.Errorf("%.60q: %s, want %s", c.accept, got, c.want)
		}
		if got := texts.Language(c.accept); got != c.want {
			t.Errorf("%.60q the second time: %s, want %s", c.accept, got, c.want)
		}
	}
}

// R-I03: the default is the application's choice.
func TestDefault(t *testing.T) {
	texts := load(t, files("rpc.pt-BR.yaml", title), i18n.Default("pt-br"))
	for accept, want := range map[string]string{"": "pt-BR", "fr": "pt-BR", "*": "pt-BR", "en": "en", "uk": "uk"} {
		if got := texts.Language(accept); got != want {
			t.Errorf("%q: %s, want %s", accept, got, want)
		}
	}
	if _, err := i18n.Load(nil, i18n.Default("fr")); err == nil || err.Error() != "facet: the default language of the texts is fr, but the languages that are there are en, uk" {
		t.Errorf("got %v", err)
	}
}

// R-I03: strangers who send ever new headers fill nothing.
func TestManyHeaders(t *testing.T) {
	texts := load(t, files("rpc.de.yaml", title))
	for i := range 5000 {
		if got := texts.Language(fmt.Sprintf("uk-%d,de", i)); got != "uk" {
			t.Fatal(got)
		}
	}
}

// FuzzAcceptLanguage: whatever the header, the answer comes soon and is one of
// the languages that are there.
func FuzzAcceptLanguage(f *testing.F) {
	texts := load(f, files("rpc.pt-BR.yaml", title, "rpc.zh-Hant.yaml", title))
	for _, s := range []string{"", "uk", "uk-UA,en;q=0.5", "*;q=0", "pt-BR-x-a;q=1.000", ";q=,", "zh-Hant-TW, *;q=0.1", "a-b-c-d-e-f", "\xff;q=0.5"} {
		f.Add(s, 1)
		f.Add(s, 1000)
	}
	f.Fuzz(func(t *testing.T, s string, times int) {
		header := strings.Repeat(s, min(max(times, 1), 1+1<<17/(len(s)+1)))
		begin := time.Now()
		got := texts.Language(header)
		if !slices.Contains(texts.Languages(), got) {
			t.Errorf("%.100q: %q is not there", header, got)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%.100q took %v", header, took)
		}
		if again := texts.Language(header); again != got {
			t.Errorf("%.100q: %s, then %s", header, got, again)
		}
	})
}

// BenchmarkLanguage: a header that was seen before, and one that is read again.
func BenchmarkLanguage(b *testing.B) {
	texts := load(b, files("rpc.de.yaml", title))
	const common = "uk-UA,uk;q=0.9,en-US;q=0.8,en;q=0.7"
	for name, accept := range map[string]string{"seen": common, "long": common + strings.Repeat(",en;q=0.6", 30), "none": ""} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				texts.Language(accept)
			}
		})
	}
	b.Run("seen by all", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				texts.Language(common)
			}
		})
	})
}
