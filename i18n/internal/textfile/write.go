package textfile

import (
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

// Tag is the name of a language in the casing of RFC 5646 section 2.1.1;
// false: it is none.
func Tag(lang string) (string, bool) {
	tag, err := language.Raw.Parse(lang)
	return tag.String(), err == nil && tag != language.Und
}

// Write writes a file with the key and text of each, in their order; those of
// one method or section stand together.
func Write(w io.Writer, texts []Text) error {
	root := &yaml.Node{Kind: yaml.MappingNode}
	for i := range texts {
		t := &texts[i]
		section, name := strings.TrimSuffix(Errors, "."), strings.TrimPrefix(t.Key, Errors)
		if t.OfMethod() {
			section = t.Method()
			name = strings.TrimPrefix(t.Key, section+".")
		}
		at := member(root, section)
		if p, ok := strings.CutPrefix(name, params[1:]); ok {
			at, name = member(at, strings.Trim(params, ".")), p
		}
		at.Content = append(at.Content, scalar(name), scalar(t.Text))
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return err
	}
	return encoder.Close()
}

// member is the mapping called name in n, made if it is not there.
func member(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	m := &yaml.Node{Kind: yaml.MappingNode}
	n.Content = append(n.Content, scalar(name), m)
	return m
}

func scalar(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}
