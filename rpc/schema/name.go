package schema

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// defined: documents write t once, under its name, and refer to it. With
// Inline that is left of types only that contain themselves.
func (r *renderer) defined(t *Type) bool {
	return t.Name != "" && (!r.style.Inline || r.cycle(t))
}

// cycle: writing t in place would never end.
func (r *renderer) cycle(t *Type) bool {
	seen := map[*Type]bool{}
	var reaches func(u *Type) bool
	reaches = func(u *Type) bool {
		if u == nil || u.Kind == Pointer && !r.input {
			return false // nullable, which is written as {}
		}
		u = u.base()
		if u == t {
			return true
		}
		if seen[u] {
			return false
		}
		seen[u] = true
		return r.contains(u, reaches)
	}
	return r.contains(t, reaches)
}

// contains: one of the parts that are written inside u satisfies yes.
func (r *renderer) contains(u *Type, yes func(*Type) bool) bool {
	for i := range u.Fields {
		f := &u.Fields[i]
		if f.Type.Kind == Pointer && !r.neverNull(f) {
			continue
		}
		if yes(f.Type) || f.Type.Kind == Pointer && yes(f.Type.base()) {
			return true
		}
	}
	return u.Elem != nil && yes(u.Elem)
}

// definable: t is worth a name: a named struct or enum, or any named type
// that contains itself.
func definable(t *Type) bool {
	if t.Go.Name() == "" {
		return false
	}
	switch t.Kind {
	case Object:
		return true
	case Array, Map, Pointer:
		return recursive(t)
	default:
		return t.Enum != nil
	}
}

func recursive(t *Type) bool {
	for _, u := range reach(t) {
		if u.Elem == t || u.Key == t || slices.ContainsFunc(u.Fields, func(f Field) bool { return f.Type == t }) {
			return true
		}
	}
	return false
}

// differs: t is rendered differently as params and as a result, which is so
// for structs, closed in params only, and for what contains one.
func differs(t *Type) bool {
	return slices.ContainsFunc(reach(t), func(u *Type) bool { return u.Kind == Object })
}

// name gives definable types their names. Until a schema is rendered all are
// named anew whenever one joins, so that the outcome does not depend on the
// order in which they do; later only the fresh ones.
func (m *Model) name(fresh []*Type) {
	todo := m.all
	if m.settled {
		todo = fresh
	} else {
		m.taken = map[string]*Type{}
	}
	todo = slices.DeleteFunc(slices.Clone(todo), func(t *Type) bool { return !definable(t) })
	slices.SortStableFunc(todo, func(a, b *Type) int { return cmp.Compare(identity(a.Go), identity(b.Go)) })
	levels := map[*Type]int{}
	for raised := true; raised; {
		raised = false
		groups := map[string][]*Type{}
		for _, t := range todo {
			name := goName(t.Go, levels[t])
			groups[name] = append(groups[name], t)
		}
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			if len(groups[name]) == 1 && m.taken[name] == nil {
				continue
			}
			for _, t := range groups[name] {
				if levels[t] < fullPath {
					levels[t]++
					raised = true
				}
			}
		}
	}
	for _, t := range todo {
		t.Name = m.take(t, goName(t.Go, levels[t]))
	}
	for _, t := range todo {
		if t.input = t.Name; t.result && differs(t) {
			t.input = m.take(t, t.Name+"Input")
		}
	}
}

// take reserves name, numbered if it is not free: only types declared inside
// functions can still share one.
func (m *Model) take(t *Type, name string) string {
	free := name
	for n := 2; m.taken[free] != nil; n++ {
		free = name + strconv.Itoa(n)
	}
	m.taken[free] = t
	return free
}

// identity orders types the same way in every run.
func identity(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

// How much of the package goes into a name.
const (
	bareName = iota
	packageName
	fullPath
)

// goName is the name of a Go type in documents: Product; shop_Product where
// two packages have one; PageOfProduct for Page[Product].
func goName(t reflect.Type, level int) string {
	return typeName(t.PkgPath()+"."+t.Name(), level)
}

// typeName renders the name of a type as reflect writes it, with the whole
// package path: example.com/shop.Page[example.com/shop.Product].
func typeName(s string, level int) string {
	switch {
	case strings.HasPrefix(s, "*"):
		return typeName(s[1:], level)
	case strings.HasPrefix(s, "[]"):
		return typeName(s[2:], level) + "List"
	case strings.HasPrefix(s, "["):
		_, elem, _ := strings.Cut(s, "]")
		return typeName(elem, level) + "Array"
	case strings.HasPrefix(s, "map["):
		key, elem := cutBracket(s[len("map"):])
		return typeName(elem, level) + "By" + title(typeName(key, level))
	case strings.HasPrefix(s, "interface {"):
		return "Any"
	case strings.HasPrefix(s, "struct {"):
		return "Struct"
	}
	base, args := s, ""
	if i := strings.IndexByte(s, '['); i >= 0 {
		base = s[:i]
		args, _ = cutBracket(s[i:])
	}
	path, name := "", base
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		path, name = base[:i], base[i+1:]
	}
	name, _, _ = strings.Cut(name, "·") // a type declared in a function
	if path != "" && level == packageName {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if path != "" && level > bareName {
		name = path + "_" + name
	}
	name = clean(name)
	for i, arg := range splitArgs(args) {
		name += []string{"Of", "And"}[min(i, 1)] + title(typeName(arg, level))
	}
	return name
}

// cutBracket splits "[a]b" into a and b, brackets inside a counted.
func cutBracket(s string) (in, rest string) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:]
			}
		}
	}
	return s, ""
}

// splitArgs splits at the commas outside brackets.
func splitArgs(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	if s == "" {
		return nil
	}
	return append(out, s[start:])
}

// clean keeps what every document and language takes in a name.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
