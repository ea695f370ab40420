package params

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// keyName is the key of a map as the name of its member.
func (n *node) keyName(key reflect.Value) string {
	switch n.kind {
	case schema.String:
		return key.String()
	case schema.Int:
		return strconv.FormatInt(key.Int(), 10)
	case schema.Uint:
		return strconv.FormatUint(key.Uint(), 10)
	}
	p := reflect.New(n.goType)
	p.Elem().Set(key)
	text, err := json.Marshal(p.Interface())
	if err == nil {
		text, err = jsontext.AppendUnquote(nil, text)
	}
	if err != nil {
		return fmt.Sprint(key.Interface())
	}
	return string(text)
}

// sortedKeys are the keys of the map v in the order of their names.
func (n *node) sortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(n.key.keyName(a), n.key.keyName(b)) })
	return keys
}
