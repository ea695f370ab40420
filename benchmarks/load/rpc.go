package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/facet-rpc/facet/benchmarks/peer"
	"github.com/facet-rpc/facet/benchmarks/work"
)

// Exchange is one request and what its answer must be.
type Exchange struct {
	Path   string
	Header [][2]string // name and value
	Body   []byte
	// Judge finds what is wrong with the body of an answer.
	Judge func(answer []byte) error
}

// single is one call by itself.
func single(s peer.Server, service string, id int, c work.Call) Exchange {
	return Exchange{
		Path: s.RPC.Path, Header: bearer(s.RPC.Token), Body: request(s, service, id, c),
		Judge: func(b []byte) error {
			var a answer
			if err := json.Unmarshal(b, &a); err != nil {
				return err
			}
			return a.judge(id, c.Result)
		},
	}
}

// batch is many calls in one request.
func batch(s peer.Server, service string, calls []work.Call) Exchange {
	members := make([][]byte, len(calls))
	for i, c := range calls {
		members[i] = request(s, service, i+1, c)
	}
	return Exchange{
		Path: s.RPC.Path, Header: bearer(s.RPC.Token),
		Body: append(append([]byte{'['}, bytes.Join(members, []byte{','})...), ']'),
		Judge: func(b []byte) error {
			var all []answer
			if err := json.Unmarshal(b, &all); err != nil {
				return err
			}
			if len(all) != len(calls) {
				return fmt.Errorf("%d answers to %d calls", len(all), len(calls))
			}
			return judgeAll(all, calls)
		},
	}
}

// judgeAll takes answers in any order, as JSON-RPC 2.0 section 6 allows.
func judgeAll(all []answer, calls []work.Call) error {
	byID := map[string]*answer{}
	for i := range all {
		byID[string(all[i].ID)] = &all[i]
	}
	for i, c := range calls {
		a := byID[strconv.Itoa(i+1)]
		if a == nil {
			return fmt.Errorf("no answer has the id %d", i+1)
		}
		if err := a.judge(i+1, c.Result); err != nil {
			return err
		}
	}
	return nil
}

func request(s peer.Server, service string, id int, c work.Call) []byte {
	method := service + "." + c.Method
	if s.RPC.Method != nil {
		method = s.RPC.Method(service, c.Method)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, c.Params)
}

func bearer(token string) [][2]string {
	if token == "" {
		return nil
	}
	return [][2]string{{"Authorization", "Bearer " + token}}
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
	Error   json.RawMessage `json:"error"`
}

func (a *answer) judge(id int, want any) error {
	if err := a.succeeded(id); err != nil {
		return err
	}
	if !reflect.DeepEqual(a.Result, want) {
		return fmt.Errorf("the result of %d is %.200v, not %.200v", id, a.Result, want)
	}
	return nil
}

func (a *answer) succeeded(id int) error {
	switch {
	case a.Version != "2.0":
		return errors.New("jsonrpc is not 2.0")
	case string(a.ID) != strconv.Itoa(id):
		return fmt.Errorf("the id is %s, not %d", a.ID, id)
	case len(a.Error) > 0 && string(a.Error) != "null":
		return fmt.Errorf("it failed: %s", a.Error)
	}
	return nil
}
