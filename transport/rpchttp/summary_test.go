package rpchttp_test

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// R-C02: the order on the wire.
var onTheWire = regexp.MustCompile(`^\{"jsonrpc":"2\.0","id":(null|"(?:[^"\\]|\\.)*"|[^"{\[,]+),"(?:result|error)":`)

// summary is an answer in short: id=result, id!code kind, [..., ...] or "".
func summary(body string) string {
	switch {
	case body == "":
		return ""
	case !jsontext.Value(body).IsValid():
		return "no JSON: " + body
	case body[0] == '[':
		var members []jsontext.Value
		if err := json.Unmarshal([]byte(body), &members); err != nil {
			return err.Error()
		}
		short := make([]string, len(members))
		for i, m := range members {
			short[i] = one(m)
		}
		return "[" + strings.Join(short, " ") + "]"
	}
	return one(jsontext.Value(body))
}

func one(body jsontext.Value) string {
	if !onTheWire.Match(body) {
		return "not in order: " + string(body)
	}
	var a struct {
		Version string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Result  jsontext.Value `json:"result"`
		Error   *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Data    struct {
				Exception  string         `json:"exception"`
				Violations jsontext.Value `json:"violations"`
				Details    jsontext.Value `json:"details"`
			} `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &a, json.RejectUnknownMembers(true)); err != nil {
		return err.Error()
	}
	if a.Error == nil {
		return fmt.Sprintf("%s=%s", a.ID, a.Result)
	}
	if a.Error.Message == "" || a.Result != nil {
		return "a result and an error, or no message: " + string(body)
	}
	return fmt.Sprintf("%s!%d %s", a.ID, a.Error.Code, a.Error.Data.Exception)
}
