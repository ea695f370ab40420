package i18n

import (
	"io/fs"
	"sync"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// Texts holds texts by language. It never changes and may be used by many
// goroutines. It is the Texts of rpc.App.
type Texts struct {
	library *library
	files   []textfile.Text // of the application
	seen    sync.RWMutex
	chosen  map[string]string // Accept-Language → language
}

// Option changes what [Load] does.
type Option func(*settings)

type settings struct{ language string }

// Default makes lang the language of those who ask for none that is there, and
// the one whose texts stand in for missing ones. Without it that is English.
func Default(lang string) Option {
	return func(s *settings) { s.language = lang }
}

// Load reads the texts in the folder translations of fsys. A nil fsys has
// none: errors and violations then still have their texts in English and
// Ukrainian.
//
// The error tells all that is wrong with all files, each with file, line and
// key. What no method is called is found by rpc.NewRegistry.
func Load(fsys fs.FS, options ...Option) (*Texts, error) {
	s := settings{language: "en"}
	for _, o := range options {
		o(&s)
	}
	var files []textfile.Text
	if fsys != nil {
		var err error
		if files, err = textfile.Read(fsys, "translations"); err != nil {
			return nil, err
		}
	}
	ready, err := textfile.Read(builtin, "builtin")
	if err != nil {
		return nil, err
	}
	l, err := newLibrary(s.language, ready, files)
	if err != nil {
		return nil, err
	}
	return &Texts{library: l, files: files, chosen: map[string]string{}}, nil
}

// Languages are those that can be asked for: the default first, then the
// others in the order of their tags.
func (t *Texts) Languages() []string { return t.library.languages }

// Text is the text of a key for a group in a language, looked for in the
// file of the group in lang and in the default language, then in the file for
// all groups in lang and in the default language. A language with a region,
// such as pt-BR, is followed by the one without.
func (t *Texts) Text(lang, group, key string) (string, bool) {
	for p := range t.library.places(lang, group) {
		if text, ok := t.library.texts[id{p, key}]; ok {
			return text, true
		}
	}
	return "", false
}

// Check is for rpc.NewRegistry: it tells, with file, line and key, which texts
// of methods belong to nothing that is known. An empty group stands for any.
func (t *Texts) Check(known func(group, key string) bool) []error {
	var faults []error
	for i := range t.files {
		f := &t.files[i]
		if !f.OfMethod() || known(f.Group, f.Key) {
			continue
		}
		problem := "no method is called " + f.Method()
		switch {
		case known("", f.Key):
			problem = f.Method() + " is not in the group " + f.Group
		case known("", f.Method()+".title"):
			problem = f.Method() + " has no such parameter"
		}
		faults = append(faults, textfile.Fault{Where: f.Where(), Problem: problem})
	}
	return faults
}
