package async_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// sign signs as the specification of Standard Webhooks says, written again.
func sign(t testing.TB, secret, id string, at time.Time, body string) string {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

func headers(id, stamp, signature string) http.Header {
	return http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {signature}}
}

// R-S06: Verify takes what was signed and nothing else.
func TestVerify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		other := async.NewSecret()
		seconds := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
		good := sign(t, secret, "m1", now, "{}")
		for _, tt := range []struct {
			name    string
			header  http.Header
			body    string
			secrets []string
			want    string // of the error; empty: verified
		}{
			{"signed", headers("m1", seconds(0), good), "{}", []string{secret}, ""},
			{"one of two secrets", headers("m1", seconds(0), good), "{}", []string{other, secret}, ""},
			{"one of three signatures", headers("m1", seconds(0), "v1a,xx v1,!! "+sign(t, other, "m1", now, "{}")+" "+good), "{}", []string{secret}, ""},
			{"old", headers("m1", seconds(-async.Tolerance), sign(t, secret, "m1", now.Add(-async.Tolerance), "{}")), "{}", []string{secret}, ""},
			{"too old", headers("m1", seconds(-async.Tolerance-time.Second), sign(t, secret, "m1", now.Add(-async.Tolerance-time.Second), "{}")), "{}", []string{secret}, "clock"},
			{"from the future", headers("m1", seconds(async.Tolerance+time.Second), sign(t, secret, "m1", now.Add(async.Tolerance+time.Second), "{}")), "{}", []string{secret}, "clock"},
			{"another time", headers("m1", seconds(time.Second), good), "{}", []string{secret}, "none of its signatures"},
			{"another id", headers("m2", seconds(0), good), "{}", []string{secret}, "none of its signatures"},
			{"another body", headers("m1", seconds(0), good), "{} ", []string{secret}, "none of its signatures"},
			{"another secret", headers("m1", seconds(0), good), "{}", []string{other}, "none of its signatures"},
			{"another version", headers("m1", seconds(0), strings.Replace(good, "v1", "v2", 1)), "{}", []string{secret}, "none of its signatures"},
			{"a time in words", headers("m1", "now", good), "{}", []string{secret}, "seconds"},
			{"a time beyond numbers", headers("m1", "99999999999999999999", good), "{}", []string{secret}, "seconds"},
			{"the least number", headers("m1", "-9223372036854775808", good), "{}", []string{secret}, "clock"},
			{"no id", headers("", seconds(0), good), "{}", []string{secret}, "webhook-id"},
			{"no signature", headers("m1", seconds(0), ""), "{}", []string{secret}, "webhook-signature"},
			{"no headers", nil, "{}", []string{secret}, "webhook-id"},
			{"no secret", headers("m1", seconds(0), good), "{}", nil, "no secret"},
			{"a short secret", headers("m1", seconds(0), good), "{}", []string{"whsec_c2hvcnQ="}, "secret 1"},
			{"a secret without its prefix", headers("m1", seconds(0), good), "{}", []string{secret, secret[6:]}, "secret 2"},
		} {
			id, err := async.Verify(tt.header, []byte(tt.body), tt.secrets...)
			if tt.want == "" && (err != nil || id != "m1") {
				t.Errorf("%s: %q, %v", tt.name, id, err)
			}
			if tt.want != "" && (err == nil || id != "" || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "C2FVsBQIhrsc")) {
				t.Errorf("%s: %q, %v, want %s", tt.name, id, err, tt.want)
			}
			if ours := tt.want == "no secret" || strings.HasPrefix(tt.want, "secret"); err != nil && errors.Is(err, async.ErrUnverified) == ours {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	})
}

// R-S06: every secret signs, the newest first, so that receivers may know the
// old or the new one; a caller with secrets of his own has those.
func TestRotation(t *testing.T) {
	r := receive(t, nil)
	old, fresh := async.NewSecret(), async.NewSecret()
	w := r.local()
	w.Secrets = []string{fresh, old}
	p := start(t, setup{async: async.Options{Webhooks: w}}, rpc.Method{Name: "run", Func: func() {}})
	p.submit("run", "{}", r.URL)
	h := r.next(t)
	for _, s := range w.Secrets {
		if _, err := async.Verify(h.header, []byte(h.body), s); err != nil {
			t.Error(err)
		}
	}
	if got := h.header.Get("Webhook-Signature"); len(strings.Fields(got)) != 2 {
		t.Errorf("signatures %s", got)
	}

	w.Secrets, w.SecretsOf = nil, func(caller string) []string { return map[string][]string{"ann": {old}}[caller] }
	p = start(t, setup{async: async.Options{Webhooks: w}}, rpc.Method{Name: "run", Func: func() {}})
	p.submit("run", "{}", r.URL)
	h = r.next(t)
	if _, err := async.Verify(h.header, []byte(h.body), old); err != nil {
		t.Error(err)
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"run","params":{"$rpc":{"callback":"` + r.URL + `"}}}`
	if got := p.as("token-bob", body); !strings.Contains(got, "-32300") || !strings.Contains(got, "no secret") {
		t.Errorf("a caller without secrets: %s", got)
	}
}

// Whatever a stranger sends, Verify does not break, and takes nothing that was
// not signed.
func FuzzVerify(f *testing.F) {
	f.Add("m1", "1700000000", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", "{}")
	f.Add("", "", "v1, v1,= ,", "")
	f.Fuzz(func(t *testing.T, id, stamp, signature, body string) {
		if _, err := async.Verify(headers(id, stamp, signature), []byte(body), secret); err == nil {
			t.Errorf("verified %q %q %q %q", id, stamp, signature, body)
		}
		now := time.Now()
		signed := headers(id, strconv.FormatInt(now.Unix(), 10), signature+" "+sign(t, secret, id, now, body))
		if got, err := async.Verify(signed, []byte(body), secret); id != "" && (err != nil || got != id) {
			t.Errorf("not verified: %q, %v", got, err)
		}
	})
}
