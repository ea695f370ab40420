package i18n

import (
	"io/fs"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// Texts holds texts by language. It never changes, but with [Follow], and may
// be used by many goroutines. It is the Texts of rpc.App.
type Texts struct {
	library *library
	follow  *follower // nil: the texts never change
}

// Option changes what [Load] does.
type Option func(*settings)

type settings struct {
	language string
	rules    func(lang string) map[string]map[string]string
	report   func(error) // nil: the files are not followed
}

// Default makes lang the language of those who ask for none that is there, and
// the one whose texts stand in for missing ones. Without it that is English.
func Default(lang string) Option {
	return func(s *settings) { s.language = lang }
}

// Rules brings texts for violations in the languages of the files, such as
// those of i18n/validatortexts. For a language source has, by rule and then by
// plural form, what a file says below violations; a text without plural forms
// is called other. Files override them, and what neither has is said in
// English. English and Ukrainian, which are built in, are not asked for.
func Rules(source func(lang string) map[string]map[string]string) Option {
	return func(s *settings) { s.rules = source }
}

// Load reads the texts in the folder translations of fsys. A nil fsys has
// none: errors and violations then still have their texts in English and
// Ukrainian.
//
// The error tells all that is wrong with all files, each with file, line and
// key. What no method is called is found by rpc.NewRegistry.
func Load(fsys fs.FS, options ...Option) (*Texts, error) {
	s := &settings{language: "en"}
	for _, o := range options {
		o(s)
	}
	if fsys != nil && s.report != nil {
		f, err := newFollower(fsys, s)
		if err != nil {
			return nil, err
		}
		return &Texts{follow: f}, nil
	}
	var files []textfile.Text
	if fsys != nil {
		var err error
		if files, err = textfile.Read(fsys, folder); err != nil {
			return nil, err
		}
	}
	l, err := newLibrary(s, files)
	if err != nil {
		return nil, err
	}
	return &Texts{library: l}, nil
}

// folder is where the files are.
const folder = "translations"

// now is the texts as they are.
func (t *Texts) now() *library {
	if t.follow == nil {
		return t.library
	}
	return t.follow.now()
}

// Languages are those that can be asked for: the default first, then the
// others in the order of their tags.
func (t *Texts) Languages() []string { return t.now().languages }

// Text is the text of a key for a group in a language, looked for in the
// file of the group in lang and in the default language, then in the file for
// all groups in lang and in the default language. A language with a region,
// such as pt-BR, is followed by the one without.
func (t *Texts) Text(lang, group, key string) (string, bool) {
	return t.now().text(lang, group, key)
}

// Check is for rpc.NewRegistry: it tells, with file, line and key, which texts
// of methods belong to nothing that is known. An empty group stands for any.
// With [Follow] it also holds later files against known.
func (t *Texts) Check(known func(group, key string) bool) []error {
	if t.follow != nil {
		t.follow.hold(known)
	}
	return t.now().check(known)
}

// Revisions is for rpc.NewRegistry: a func that tells one state of the texts
// from another, or nil when they never change.
func (t *Texts) Revisions() func() uint64 {
	if t.follow == nil {
		return nil
	}
	return func() uint64 { return t.now().revision }
}

func (l *library) check(known func(group, key string) bool) []error {
	var faults []error
	for i := range l.files {
		f := &l.files[i]
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
