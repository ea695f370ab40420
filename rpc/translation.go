package rpc

import rpcerrors "github.com/facet-rpc/facet/errors"

// phrases is what [Texts] may have besides: the words for violations and for
// sentences. i18n.Texts has them.
type phrases interface {
	// Violations words vs for a group in a language: the messages and the
	// sentence of the error of the kind; an empty one means its own. It leaves
	// vs as it is.
	Violations(lang, group, kind string, vs []rpcerrors.Violation) (sentence string, translated []rpcerrors.Violation)
	// Sentence is the translation of a text that was given to an error where it
	// was made.
	Sentence(lang, group, sentence string) (string, bool)
}

// keyed is what [Texts] may have besides: it knows where its keys are from.
type keyed interface {
	// Check tells which keys of methods belong to nothing that is known. An
	// empty group stands for any.
	Check(known func(group, key string) bool) []error
}

// revised is what [Texts] may have besides: they may change while the program
// runs.
type revised interface {
	// Revisions is a func that tells one state of the texts from another, the
	// same in all processes; nil when they never change.
	Revisions() func() uint64
}

func revisionsOf(texts Texts) func() uint64 {
	if r, ok := texts.(revised); ok {
		return r.Revisions()
	}
	return nil
}

// TextRevision tells one state of texts that change while the program runs, as
// i18n.Follow lets them, from another; it is always 0 when they do not. What
// an edge renders from texts is kept under it.
func (e *Endpoint) TextRevision() uint64 {
	if r := e.registry.revision; r != nil {
		return r()
	}
	return 0
}

// translate puts the text in the language of the call.
func (x *Executor) translate(c *Call, e *rpcerrors.Error) *rpcerrors.Error {
	return x.registry.Translate(c.Language, c.Endpoint.Group, e)
}

// Translate is e with its text, and those of its violations, in a language for
// a group; e itself without [Texts] for it. Errors of an [Executor] are
// translated already: this is for what an edge refuses before any call.
func (r *Registry) Translate(lang, group string, e *rpcerrors.Error) *rpcerrors.Error {
	texts := r.app.Texts
	if texts == nil {
		return e
	}
	p, ok := texts.(phrases)
	if vs := e.Violations(); len(vs) > 0 {
		if !ok {
			return e
		}
		sentence, translated := p.Violations(lang, group, e.Kind(), vs)
		if e = e.WithViolations(translated); sentence != "" {
			e = e.WithMessage(sentence)
		}
		return e
	}
	if ok {
		if text, ok := p.Sentence(lang, group, e.Error()); ok {
			return e.WithMessage(text)
		}
	}
	if text, ok := texts.Text(lang, group, "errors."+e.Kind()); ok {
		return e.Localize(text)
	}
	return e
}

// checkTexts finds texts of what is not published. It asks once everything
// else is right: a method with a fault has no name yet.
func (r *registration) checkTexts() {
	texts, ok := r.app.Texts.(keyed)
	if !ok || len(r.faults) > 0 {
		return
	}
	known := map[[2]string]bool{}
	for _, m := range r.methods {
		s := m.spec
		keys := []string{s.Declared.Name + ".title", s.Declared.Name + ".description"}
		if s.Params != nil {
			for i := range s.Params.Fields {
				keys = append(keys, s.Declared.Name+".params."+s.Params.Fields[i].Name)
			}
		}
		for _, k := range keys {
			known[[2]string{"", k}] = true
			for _, g := range s.Declared.Groups {
				known[[2]string{g, k}] = true
			}
		}
	}
	for _, err := range texts.Check(func(group, key string) bool { return known[[2]string{group, key}] }) {
		r.faults = append(r.faults, Fault{Problem: err.Error(), Mend: "correct the key, or take it out"})
	}
}
