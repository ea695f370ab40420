package textfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Read reads the texts below the folder root: rpc.<lang>.yaml for all groups,
// rpc/<group>.<lang>.yaml for one. Other files are left alone. The error is a
// [Faults]: all that is wrong with all files.
func Read(fsys fs.FS, root string) ([]Text, error) {
	r := &reader{fsys: fsys}
	r.folder(root, false)
	if _, err := fs.Stat(fsys, path.Join(root, "rpc")); err == nil {
		r.folder(path.Join(root, "rpc"), true)
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return r.texts, nil
}

type reader struct {
	fsys   fs.FS
	texts  []Text
	faults Faults
	seen   map[string]int // the line of a key of the file being read
	file   Text           // what the texts of that file have in common
}

// folder reads the files of one folder: those for all groups, or for one each.
func (r *reader) folder(dir string, perGroup bool) {
	entries, err := fs.ReadDir(r.fsys, dir)
	if err != nil {
		r.faults = append(r.faults, Fault{dir, "this folder cannot be read (" + reason(err) + "); with go:embed, write //go:embed " + dir})
		return
	}
	for _, e := range entries {
		name := e.Name()
		ext := path.Ext(name)
		if e.IsDir() || ext != ".yaml" && ext != ".yml" || !perGroup && !strings.HasPrefix(name, "rpc.") {
			continue
		}
		file := path.Join(dir, name)
		stem := strings.TrimSuffix(name, ext)
		dot := strings.LastIndexByte(stem, '.')
		if ext == ".yml" || dot < 1 {
			want := "rpc.<language>.yaml"
			if perGroup {
				want = "<group>.<language>.yaml"
			}
			r.faults = append(r.faults, Fault{file, "the name of this file is not read; call it " + want})
			continue
		}
		lang, ok := Tag(stem[dot+1:])
		if !ok {
			r.faults = append(r.faults, Fault{file, stem[dot+1:] + " is no language; write a tag such as uk or pt-BR before .yaml"})
			continue
		}
		r.file = Text{File: file, Lang: lang}
		if perGroup {
			r.file.Group = stem[:dot]
		}
		r.read(file)
	}
}

// reason is err without the path, which stands beside it.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// read reads one file.
func (r *reader) read(file string) {
	text, err := fs.ReadFile(r.fsys, file)
	if err != nil {
		r.faults = append(r.faults, Fault{file, "this file cannot be read: " + reason(err)})
		return
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case err == io.EOF:
		return // nothing but comments
	case err != nil:
		r.faults = append(r.faults, Fault{file, "this file is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")})
		return
	}
	if err := decoder.Decode(new(yaml.Node)); err != io.EOF {
		r.faults = append(r.faults, Fault{file, "this file has more than one document; take the line --- out"})
		return
	}
	r.seen = map[string]int{}
	if root := doc.Content[0]; root.Kind == yaml.MappingNode {
		r.mapping(root, "")
	} else if root.Tag != "!!null" {
		r.file.Line = root.Line
		r.fault("", "a file of texts is a mapping, such as Catalog.search: {title: Search}")
	}
}

// fault notes what is wrong with a key of the file being read.
func (r *reader) fault(key, problem string) {
	at := r.file
	at.Key = key
	r.faults = append(r.faults, Fault{strings.TrimSuffix(at.Where(), ": "), problem})
}

// mapping reads the members of a mapping; nested and dotted keys are the same.
func (r *reader) mapping(n *yaml.Node, prefix string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		r.file.Line = k.Line
		key := prefix + k.Value
		switch {
		case k.Kind != yaml.ScalarNode || k.Tag == "!!merge" || v.Kind == yaml.AliasNode:
			r.fault(key, "references (&, *, <<) are not read; write the text out")
		case k.Value == "" || k.Tag == "!!null":
			r.fault(key, "a key is empty")
		case v.Kind == yaml.MappingNode && plural(v) && strings.HasPrefix(key, Violations):
			r.forms(key, v)
		case v.Kind == yaml.MappingNode:
			r.mapping(v, key+".")
		case v.Kind == yaml.SequenceNode:
			r.fault(key, "a text is one string, not a list")
		case v.Tag == "!!null" || strings.TrimSpace(v.Value) == "":
			r.fault(key, "the text is empty; write one, or leave the key out to fall back")
		default:
			r.add(key, v.Value, nil)
		}
	}
}

// categories are the plural forms of the Unicode CLDR.
var categories = []string{"zero", "one", "two", "few", "many", "other"}

// plural reports whether a mapping holds the plural forms of one text.
func plural(n *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains(categories, n.Content[i].Value) {
			return false
		}
	}
	return len(n.Content) > 0
}

// forms reads the plural forms of one text.
func (r *reader) forms(key string, n *yaml.Node) {
	forms := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		r.file.Line = k.Line
		switch {
		case v.Kind != yaml.ScalarNode || v.Tag == "!!null" || v.Value == "":
			r.fault(key+"."+k.Value, "a plural form is a text")
			return
		case forms[k.Value] != "":
			r.fault(key+"."+k.Value, "this plural form is there twice; keep one")
		}
		forms[k.Value] = v.Value
	}
	if forms["other"] == "" {
		r.fault(key, "the plural form other is missing; every language has it")
		return
	}
	r.add(key, forms["other"], forms)
}

// add takes a text after checking its key and form.
func (r *reader) add(key, text string, forms map[string]string) {
	if line := r.seen[key]; line > 0 {
		r.fault(key, "this key is there twice, first "+lineText(line)+"; keep one")
		return
	}
	r.seen[key] = r.file.Line
	t := r.file
	t.Key, t.Text, t.Forms = key, text, forms
	if problem := check(&t); problem != "" {
		r.fault(key, problem)
		return
	}
	r.texts = append(r.texts, t)
}
