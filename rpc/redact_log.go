package rpc

import (
	"fmt"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// redacting is a core whose entries tell no secrets. The core below decides
// what is logged at all, so its sampling stays as it is.
type redacting struct {
	zapcore.Core
	redactor *redactor
}

// withRedaction is log without secrets.
func withRedaction(log *zap.Logger, r *redactor) *zap.Logger {
	return log.WithOptions(zap.WrapCore(func(c zapcore.Core) zapcore.Core { return redacting{c, r} }))
}

// With implements [zapcore.Core].
func (c redacting) With(fields []zapcore.Field) zapcore.Core {
	return redacting{c.Core.With(c.redactor.fields(fields)), c.redactor}
}

// Check implements [zapcore.Core].
func (c redacting) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	inner := c.Core.Check(e, nil)
	if inner == nil {
		return ce
	}
	return ce.AddCore(e, checked{c, inner})
}

// checked is a redacting core for an entry that will be written.
type checked struct {
	redacting
	inner *zapcore.CheckedEntry
}

// Write implements [zapcore.Core].
func (c checked) Write(e zapcore.Entry, fields []zapcore.Field) error {
	e.Message = c.redactor.text(e.Message)
	c.inner.Entry = e
	c.inner.Write(c.redactor.fields(fields)...)
	return nil
}

// fields is a copy of fields without secrets.
func (r *redactor) fields(fields []zapcore.Field) []zapcore.Field {
	out := make([]zapcore.Field, 0, len(fields))
	for _, f := range fields {
		switch v := f.Interface.(type) {
		case error:
			if f.Type == zapcore.ErrorType {
				out = append(out, r.error(f.Key, v)...)
				continue
			}
		case []byte:
			if text := r.text(string(v)); f.Type == zapcore.ByteStringType && text != string(v) {
				f = zap.String(f.Key, text)
			}
		}
		switch f.Type {
		case zapcore.StringType:
			f.String = r.text(f.String)
		case zapcore.StringerType, zapcore.ReflectType:
			was := fmt.Sprint(f.Interface)
			if text := r.text(was); text != was {
				f = zap.String(f.Key, text)
			}
		}
		out = append(out, f)
	}
	return out
}

// error is the field of an error as zap.NamedError has it, which is left as it
// is when there is no secret in it.
func (r *redactor) error(key string, err error, secrets ...string) []zapcore.Field {
	_, more := err.(fmt.Formatter) // such as a trace
	was, long := err.Error(), ""
	if more {
		long = fmt.Sprintf("%+v", err)
	}
	text, longText := r.text(was, secrets...), r.text(long, secrets...)
	if text == was && longText == long {
		return []zapcore.Field{zap.NamedError(key, err)}
	}
	out := []zapcore.Field{zap.String(key, text)}
	if more && longText != text {
		out = append(out, zap.String(key+"Verbose", longText))
	}
	return out
}
