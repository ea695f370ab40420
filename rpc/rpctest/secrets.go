package rpctest

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Secrets fails a test when one of its secrets gets into a log entry or an
// answer. Give a program its Logger, and serve it through its Handler.
type Secrets struct {
	tb      testing.TB
	secrets []string
}

// WatchSecrets watches for secrets: what the test sends or configures and
// nobody may be told.
func WatchSecrets(tb testing.TB, secrets ...string) *Secrets {
	return &Secrets{tb, secrets}
}

// Check fails the test if text, which was found at what, tells a secret.
func (s *Secrets) Check(what, text string) {
	for _, secret := range s.secrets {
		if strings.Contains(text, secret) {
			s.tb.Errorf("%s tells the secret %q: %.2000s", what, secret, text)
		}
	}
}

// Logger is a logger that writes nothing and watches every entry.
func (s *Secrets) Logger() *zap.Logger { return zap.New(s.Core(), zap.AddCaller()) }

// Core is the core of Logger, to stand beside another in a zapcore.NewTee.
func (s *Secrets) Core() zapcore.Core {
	return zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(logWatch{s}), zap.DebugLevel)
}

// logWatch reads log entries as they are written.
type logWatch struct{ *Secrets }

func (w logWatch) Write(line []byte) (int, error) {
	w.Check("the log", string(line))
	return len(line), nil
}

// Handler is h, whose answers are watched: headers and bodies.
func (s *Secrets) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		watched := &answerWatch{ResponseWriter: w}
		h.ServeHTTP(watched, r)
		var head bytes.Buffer
		_ = w.Header().Write(&head) // a buffer takes all
		s.Check("the answer to "+r.Method+" "+r.URL.Path, head.String()+watched.body.String())
	})
}

// answerWatch keeps what is written.
type answerWatch struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (w *answerWatch) Write(b []byte) (int, error) {
	w.body.Write(b)
	return w.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (w *answerWatch) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements [http.Flusher].
func (w *answerWatch) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
