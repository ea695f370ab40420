package i18n

import (
	"iter"
	"slices"
	"strings"
)

// How much of a header is read: a reader of more than 64 languages is none.
const (
	maxHeader = 4 << 10 // bytes
	maxRanges = 64
)

// How many header values are remembered, and how long they may be in bytes.
const (
	maxChosen = 1024
	maxKept   = 256
)

// Language chooses the language for an Accept-Language header (RFC 9110
// section 12.5.4) by lookup (RFC 4647 section 3.4): uk-UA finds uk, and uk
// never finds a language that only looks similar. Without one that fits it is
// the default.
func (t *Texts) Language(accept string) string { return t.now().language(accept) }

func (l *library) language(accept string) string {
	if accept == "" {
		return l.languages[0]
	}
	l.seen.RLock()
	lang, ok := l.chosen[accept]
	l.seen.RUnlock()
	if ok {
		return lang
	}
	lang = l.choose(accept)
	if len(accept) <= maxKept {
		l.seen.Lock()
		if len(l.chosen) >= maxChosen {
			clear(l.chosen) // strangers filled it; what is common comes back at once
		}
		l.chosen[strings.Clone(accept)] = lang // accept may be part of a large header
		l.seen.Unlock()
	}
	return lang
}

// choice is a language range with its weight in thousandths.
type choice struct {
	tag    string // in lower case, or *
	weight int
}

// choose is language without the memory.
func (l *library) choose(accept string) string {
	choices := parse(accept)
	for _, c := range choices {
		if c.weight == 0 {
			break // they are sorted
		}
		if c.tag == "*" {
			for _, lang := range l.languages {
				if !named(choices, strings.ToLower(lang)) {
					return lang
				}
			}
			continue
		}
		for tag := range shorter(c.tag) {
			if lang := l.canonical[tag]; lang != "" && !refused(choices, tag) {
				return lang
			}
		}
	}
	return l.languages[0]
}

// named reports whether a range other than * speaks of the tag: * stands for
// the rest.
func named(choices []choice, tag string) bool {
	return slices.ContainsFunc(choices, func(c choice) bool { return within(tag, c.tag) })
}

// refused reports whether the longest range that speaks of the tag has the
// weight 0. Ranges that are longer than the tag say nothing of it.
func refused(choices []choice, tag string) bool {
	longest, weight := 0, 1
	for _, c := range choices {
		if within(tag, c.tag) && len(c.tag) > longest {
			longest, weight = len(c.tag), c.weight
		}
	}
	return weight == 0
}

// within reports whether tag is the language of a range or one of its kinds.
func within(tag, of string) bool {
	return tag == of || strings.HasPrefix(tag, of) && tag[len(of)] == '-'
}

// shorter is a tag and what RFC 4647 section 3.4 makes of it: the last part
// falls. A tag that ends in a single letter, which would fall with it, is no
// language, so it is not found either.
func shorter(tag string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(tag) {
			dash := strings.LastIndexByte(tag, '-')
			if dash < 0 {
				return
			}
			tag = tag[:dash]
		}
	}
}

// parse reads a header into its ranges, the most wanted first; those of the
// same weight in their order. What is no range with a weight is passed over.
func parse(accept string) []choice {
	if len(accept) > maxHeader {
		accept = accept[:maxHeader]
		accept = accept[:strings.LastIndexByte(accept, ',')+1] // what was cut is no range
	}
	var choices []choice
	for item := range strings.SplitSeq(accept, ",") {
		tag, rest, weighed := strings.Cut(item, ";")
		c := choice{strings.ToLower(strings.Trim(tag, " \t")), 1000}
		if weighed {
			c.weight = weight(rest)
		}
		if c.weight < 0 || !isRange(c.tag) {
			continue
		}
		if choices = append(choices, c); len(choices) == maxRanges {
			break
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return b.weight - a.weight })
	return choices
}

// isRange: letters, then letters or digits, 1 to 8 in each part, between
// dashes; or *. tag is in lower case.
func isRange(tag string) bool {
	if tag == "*" {
		return true
	}
	first := true
	for part := range strings.SplitSeq(tag, "-") {
		if len(part) < 1 || len(part) > 8 {
			return false
		}
		for _, c := range part {
			if (c < 'a' || c > 'z') && (first || c < '0' || c > '9') {
				return false
			}
		}
		first = false
	}
	return true
}

// weight reads q=0.8 in thousandths (RFC 9110 section 12.4.2); -1: it is none.
func weight(s string) int {
	s = strings.Trim(s, " \t")
	if len(s) < 3 || s[0] != 'q' && s[0] != 'Q' || s[1] != '=' || len(s) > 7 {
		return -1
	}
	whole, digits := s[2], s[3:]
	if whole != '0' && whole != '1' || digits != "" && digits[0] != '.' {
		return -1
	}
	total, unit := int(whole-'0')*1000, 100
	for i := 1; i < len(digits); i++ {
		d := digits[i]
		if d < '0' || d > '9' {
			return -1
		}
		total += int(d-'0') * unit
		unit /= 10
	}
	if total > 1000 {
		return -1
	}
	return total
}
