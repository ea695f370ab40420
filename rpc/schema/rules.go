package schema

import "strings"

// problem is a fault without its place.
type problem struct{ what, mend string }

// parseRules reads a validate tag as validator does: rules separated by
// commas, alternatives by "|", 0x2C and 0x7C for those two in a parameter.
// Rules are nil without any. custom names the application's own rules.
func parseRules(tag string, custom map[string]bool) (*Rules, []problem) {
	if tag == "" {
		return nil, nil
	}
	p := &ruleParser{custom: custom}
	r := p.level(strings.Split(tag, ","))
	return r, p.problems
}

type ruleParser struct {
	custom   map[string]bool
	problems []problem
}

func (p *ruleParser) fault(what, mend string) { p.problems = append(p.problems, problem{what, mend}) }

// level reads the items up to dive, and what follows it as the next level.
func (p *ruleParser) level(items []string) *Rules {
	r := &Rules{}
	var written []string
	for i, item := range items {
		switch item {
		case "dive":
			r.Tag = strings.Join(written, ",")
			p.dive(r, items[i+1:])
			return r
		case "omitempty", "omitnil", "omitzero":
			p.omit(r, item)
		case "keys":
			p.fault("validate: keys must follow dive", `write "dive,keys,…,endkeys"`)
		case "endkeys":
			p.fault("validate: endkeys without keys", `write "dive,keys,…,endkeys"`)
		case "structonly", "nostructlevel", "-":
			p.fault("validate:"+quote(item)+" skips rules of the type that the schema shows", "leave it out")
		case "":
			p.fault("the validate tag has an empty rule", "drop the extra comma")
		default:
			if item == "required" && (r.OmitEmpty || r.OmitNil || r.OmitZero) {
				p.fault("validate: required behind "+strings.TrimSuffix(r.skipText(), ",")+" is not asked of a value that is not there", "keep one of the two")
			}
			r.List = append(r.List, p.rule(item))
		}
		written = append(written, item)
	}
	r.Tag = strings.Join(written, ",")
	return r
}

// omit notes when the rules behind it are skipped. A rule in front of it
// would not be, which nobody means, except to ask for the value at all.
func (p *ruleParser) omit(r *Rules, item string) {
	for _, before := range r.List {
		if !before.runsOnNil() {
			p.fault("validate: "+before.text()+" stands before "+item+" and is not skipped by it", "write "+item+" first")
		}
	}
	switch item {
	case "omitempty":
		r.OmitEmpty = true
	case "omitnil":
		r.OmitNil = true
	default:
		r.OmitZero = true
	}
}

// dive reads the rules of keys and elements. The element level exists also
// when it is empty: its fields are checked.
func (p *ruleParser) dive(r *Rules, items []string) {
	if len(items) > 0 && items[0] == "keys" {
		end := 1
		for end < len(items) && items[end] != "endkeys" {
			end++
		}
		if end == len(items) {
			p.fault("validate: keys without endkeys", `write "dive,keys,…,endkeys"`)
		}
		r.Keys = p.level(items[1:end])
		items = items[min(end+1, len(items)):]
	}
	r.Elem = p.level(items)
}

// rule reads one item with its alternatives.
func (p *ruleParser) rule(item string) Rule {
	var all []Rule
	for one := range strings.SplitSeq(item, "|") {
		name, param, _ := strings.Cut(one, "=")
		switch {
		case name == "":
			p.fault("validate: "+quote(item)+" has an empty alternative", `write rules around each "|", and 0x7C for a "|" in a parameter`)
		case !builtinRule(name) && !p.custom[name]:
			mend := "correct the name, or register the rule with the application's rules"
			if near := nearestRule(name); near != "" {
				mend = "did you mean " + near + "? Rules of your own are registered with the application's rules"
			}
			p.fault("validate: there is no rule "+quote(name), mend)
		}
		param = strings.ReplaceAll(strings.ReplaceAll(param, "0x2C", ","), "0x7C", "|")
		all = append(all, Rule{Name: name, Param: param})
	}
	r := all[0]
	if len(all) > 1 {
		r.Or = all
	}
	return r
}

// runsOnNil: validator calls the rule for a nil pointer too. Every other rule
// refuses nil without looking.
func (r Rule) runsOnNil() bool {
	return strings.HasPrefix(r.Name, "required_") || strings.HasPrefix(r.Name, "excluded_") ||
		r.Name == "skip_unless" || r.Name == "isdefault"
}

// refusesNil: a nil pointer breaks the rules.
func (r *Rules) refusesNil() bool {
	return r != nil && len(r.List) > 0 && !r.OmitEmpty && !r.OmitNil && !r.OmitZero && !r.List[0].runsOnNil()
}
