package client

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encodeOptions write params as the server reads them: a time.Duration as
// "1m30s", members in a fixed order. more come before that.
func encodeOptions(more ...*json.Marshalers) json.Options {
	return json.JoinOptions(
		json.Deterministic(true),
		json.WithMarshalers(json.JoinMarshalers(append(more, json.MarshalToFunc(func(enc *jsontext.Encoder, d time.Duration) error {
			return enc.WriteToken(jsontext.String(d.String()))
		}))...)),
	)
}

// decodeOptions read results as the server writes them.
func decodeOptions() json.Options {
	return json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, d *time.Duration) error {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		switch token.Kind() {
		case 'n':
			*d = 0
			return nil
		case '"':
			*d, err = time.ParseDuration(token.String())
			return err
		}
		return fmt.Errorf(`%v is not a duration such as "1m30s"`, token)
	}))
}

// params encodes the parameters of a call; nil if there are none.
func (c *Client) params(v any) ([]byte, error) { return encodeParams(v, c.encode) }

func encodeParams(v any, options json.Options) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v, options)
	if err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	switch raw[0] {
	case '{', '[':
		return raw, nil
	case 'n': // a nil pointer or map
		return nil, nil
	}
	return nil, fmt.Errorf("params: %T becomes %.40s, but params are an object or an array; use a struct or a map", v, raw)
}
