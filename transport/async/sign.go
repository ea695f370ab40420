package async

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of Standard Webhooks 1.0, in the form of [http.Header].
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// Tolerance is how far the time of a webhook may be from the clock of the
// receiver.
const Tolerance = 5 * time.Minute

// ErrUnverified is the error of [Verify], wrapped with what is wrong.
var ErrUnverified = errors.New("async: the webhook is not verified")

// NewSecret makes a secret to sign webhooks with: whsec_ and 32 random bytes
// in base64.
func NewSecret() string {
	key := make([]byte, 32)
	rand.Read(key)
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// Verify checks that one of secrets signed a webhook, and that it was sent
// within [Tolerance]. body is the body as it came, to its last byte.
//
// id names the job. A webhook may come more than once, with the same id: a
// receiver that acts on it keeps the ids that it has seen.
func Verify(header http.Header, body []byte, secrets ...string) (id string, err error) {
	id = header.Get(headerID)
	if id == "" || header.Get(headerSignature) == "" {
		return "", fmt.Errorf("%w: it has no webhook-id or no webhook-signature", ErrUnverified)
	}
	stamp := header.Get(headerTimestamp)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%w: webhook-timestamp is no number of seconds", ErrUnverified)
	}
	if now := time.Now().Unix(); seconds < now-int64(Tolerance/time.Second) || seconds > now+int64(Tolerance/time.Second) {
		return "", fmt.Errorf("%w: webhook-timestamp is more than %v from the clock here", ErrUnverified, Tolerance)
	}
	keys, err := keysOf(secrets)
	if err != nil {
		return "", err
	}
	for _, key := range keys {
		want := mac(key, id, stamp, body)
		for signature := range strings.FieldsSeq(header.Get(headerSignature)) {
			version, text, _ := strings.Cut(signature, ",")
			got, err := base64.StdEncoding.DecodeString(text)
			if version == "v1" && err == nil && hmac.Equal(got, want) {
				return id, nil
			}
		}
	}
	return "", fmt.Errorf("%w: none of its signatures is by a secret that was given", ErrUnverified)
}

// signature is the header of a webhook: one signature for each key, the first
// of the newest.
func signature(keys [][]byte, id, stamp string, body []byte) string {
	var b bytes.Buffer
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("v1,")
		b.WriteString(base64.StdEncoding.EncodeToString(mac(key, id, stamp, body)))
	}
	return b.String()
}

// mac is the signature of version 1: of id, time and body with dots between.
func mac(key []byte, id, stamp string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id + "." + stamp + "."))
	h.Write(body)
	return h.Sum(nil)
}

const secretPrefix = "whsec_"

// How many bytes a secret has: the bounds of Standard Webhooks.
const (
	minSecret = 24
	maxSecret = 64
)

// keysOf reads secrets. An error never tells one, only where it stands.
func keysOf(secrets []string) ([][]byte, error) {
	if len(secrets) == 0 {
		return nil, errors.New("async: there is no secret; make one with async.NewSecret and keep it where tokens are kept")
	}
	keys := make([][]byte, len(secrets))
	for i, s := range secrets {
		text, ok := strings.CutPrefix(s, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil || len(key) < minSecret || len(key) > maxSecret {
			return nil, fmt.Errorf("async: secret %d is not whsec_ and %d to %d bytes in base64; make one with async.NewSecret", i+1, minSecret, maxSecret)
		}
		keys[i] = key
	}
	return keys, nil
}
