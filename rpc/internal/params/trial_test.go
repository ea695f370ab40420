package params_test

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/go-playground/validator/v10"
)

var update = flag.Bool("update", false, "write the golden files again")

// rules are the application's rules of these tests.
func rules() []params.Rule {
	return []params.Rule{
		{Name: "sku", Func: func(f validator.FieldLevel) bool { return strings.HasPrefix(f.Field().String(), "sku-") }, Message: "must begin with sku-"},
		{Name: "even", Func: func(f validator.FieldLevel) bool { return f.Field().Int()%2 == 0 }},
		{Name: "boom", Func: func(f validator.FieldLevel) bool { panic("boom: " + f.Param()) }, Message: "must not boom"},
	}
}

type strict struct {
	Name string `json:"name" validate:"min=3"`
}

type (
	defaultBreaks struct {
		Limit int      `json:"limit" default:"200" validate:"min=1,max=100"`
		Tags  []string `json:"tags" default:"[\"ok\",\"\"]" validate:"dive,min=1"`
	}
	zeroBreaks struct {
		Limit int       `json:"limit,omitzero" validate:"min=1"`
		Text  string    `json:"text,omitempty" validate:"alpha"`
		At    time.Time `json:"at,omitzero" validate:"required"`
		List  []int     `json:"list,omitempty" validate:"min=1"`
	}
	optionalStruct struct {
		Who strict `json:"who,omitzero"`
	}
	optionalPointer struct {
		Who *strict `json:"who"`
	}
	optionalWithOmit struct {
		Limit int    `json:"limit,omitzero" validate:"omitempty,min=1"`
		Text  string `json:"text,omitempty" validate:"omitempty,alpha"`
	}
	fieldOfOther struct {
		A string `json:"a,omitempty" validate:"datetime"`
		B int    `json:"b" validate:"email"`
	}
	listOfLists struct {
		Any  []any   `json:"any" validate:"unique"`
		Ints [][]int `json:"ints" validate:"min=1,unique"`
	}
	anyWithMin struct {
		Any any `json:"any" validate:"min=1"`
	}
	deepPanic struct {
		List []optionalWithOmit       `json:"list" validate:"required,dive"`
		Map  map[string][]map[int]any `json:"map" validate:"min=2,dive,min=2,dive,dive,keys,min=5,endkeys,lowercase"`
	}
	customPanics struct {
		Name string `json:"name" validate:"max=5,boom=now"`
	}
	customType struct {
		Name string `json:"name" validate:"even"`
	}
	customFine struct {
		SKU string `json:"sku" validate:"sku"`
		N   int    `json:"n" validate:"even"`
	}
	panicsByParent struct {
		A int    `json:"a"`
		B string `json:"b" validate:"required_if=A"`
	}
)

// What calls would trip over is a fault at registration, which says where and
// how to mend it.
func TestRegistrationFaults(t *testing.T) { // R-C11 R-V03 case G07
	var out strings.Builder
	for _, rt := range []reflect.Type{
		reflect.TypeFor[defaultBreaks](), reflect.TypeFor[zeroBreaks](), reflect.TypeFor[optionalStruct](), reflect.TypeFor[optionalPointer](),
		reflect.TypeFor[optionalWithOmit](), reflect.TypeFor[fieldOfOther](), reflect.TypeFor[listOfLists](), reflect.TypeFor[anyWithMin](),
		reflect.TypeFor[deepPanic](), reflect.TypeFor[customPanics](), reflect.TypeFor[customType](), reflect.TypeFor[customFine](), reflect.TypeFor[panicsByParent](),
		reflect.TypeFor[struct {
			A string `json:"a" validate:"min=abc"`
		}](),
	} {
		out.WriteString(rt.Name() + "\n")
		_, faults := tryCompile(t, rt, rules()...)
		for _, f := range faults {
			out.WriteString("  " + f.Error() + "\n")
		}
		if len(faults) == 0 {
			out.WriteString("  fine\n")
		}
	}
	const file = "testdata/faults.golden"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

func TestRuleThatCannotBeRegistered(t *testing.T) {
	for _, r := range []params.Rule{{Name: "", Func: rules()[0].Func}, {Name: "dive", Func: rules()[0].Func}, {Name: "none"}} {
		if err := caught(func() {
			if _, err := params.NewCompiler([]params.Rule{r}); err != nil {
				panic(err)
			}
		}); err == nil {
			t.Errorf("the rule %q was taken", r.Name)
		}
	}
}
