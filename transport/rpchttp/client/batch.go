package client

import (
	"bytes"
	"context"
	stderrors "errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	errUnsent     = stderrors.New("the batch was not sent yet; call Batch.Send before Result")
	errSent       = stderrors.New("the batch was sent already; make another with Client.Batch")
	errUnanswered = stderrors.New("the answer of the batch has none for this call")
)

// Batch is several calls in one request. The server runs them concurrently.
// It is used by one goroutine, and sent once.
type Batch struct {
	client  *Client
	body    []byte
	members []*member // the calls, by id from 1
	invalid error     // of a member whose params cannot be encoded
	sent    bool
}

// member is a call in a batch.
type member struct {
	method   string
	answered bool
	result   jsontext.Value
	err      error
}

// Pending is a call in a batch, whose result is there once the batch was sent.
type Pending[R any] struct {
	batch  *Batch
	id     int
	member *member
}

// Batch begins a batch.
func (c *Client) Batch() *Batch { return &Batch{client: c} }

// Add puts a call into a batch; the arguments are those of [Call].
func Add[R any](b *Batch, method string, params any) *Pending[R] {
	m := &member{method: method, err: errUnsent}
	b.members = append(b.members, m)
	b.add(len(b.members), method, params)
	return &Pending[R]{batch: b, id: len(b.members), member: m}
}

// Notify puts a notification into the batch: a call whose answer nobody wants.
func (b *Batch) Notify(method string, params any) { b.add(0, method, params) }

// Result is the result of the call once [Batch.Send] has returned, with the
// errors of [Call]. If Send failed, it is the error of Send.
func (p *Pending[R]) Result() (R, error) {
	var result R
	err := p.member.err
	if err == nil {
		err = p.batch.client.result(p.member.result, &result)
	}
	if err != nil {
		var none R
		return none, wrap(p.member.method, err)
	}
	return result, nil
}

func (b *Batch) add(id int, method string, params any) {
	raw, err := b.params(params)
	if err != nil && b.invalid == nil {
		b.invalid = fmt.Errorf("%s: %w", method, err)
	}
	separator := byte(',')
	if b.body == nil {
		separator = '['
	}
	b.body = appendRequest(append(b.body, separator), id, method, raw)
}

// Send sends the batch and waits for all answers. Its error is about the
// batch as a whole: it could not be sent, or the server refused all of it.
// Each call has its own result or error. An empty batch is not sent.
func (b *Batch) Send(ctx context.Context) error {
	if b.sent {
		return wrap("batch", errSent)
	}
	b.sent = true
	if b.body == nil {
		return nil
	}
	answers, err := b.exchange(ctx)
	for _, m := range b.members {
		m.err = errUnanswered
		if err != nil {
			m.err = err
		}
	}
	for i := range answers {
		b.deliver(&answers[i])
	}
	return wrap("batch", err)
}

func (b *Batch) exchange(ctx context.Context) ([]answer, error) {
	if b.invalid != nil {
		return nil, b.invalid
	}
	status, body, err := b.client.post(ctx, append(b.body, ']'))
	b.body = nil
	if err != nil {
		return nil, err
	}
	body = bytes.TrimLeft(body, " \t\r\n")
	if len(body) == 0 && status/100 == 2 && len(b.members) == 0 {
		return nil, nil
	}
	if len(body) == 0 || body[0] != '[' {
		_, err := single(status, body) // one error for the batch as a whole
		if err == nil {
			err = newStatusError(status, body)
		}
		return nil, err
	}
	var answers []answer
	if err := json.Unmarshal(body, &answers); err != nil {
		return nil, newStatusError(status, body)
	}
	return answers, nil
}

// deliver gives an answer to its call. The order of answers is the server's.
func (b *Batch) deliver(a *answer) {
	id, ok := a.id()
	if !ok || id < 1 || id > len(b.members) || b.members[id-1].answered {
		return
	}
	m := b.members[id-1]
	m.answered = true
	switch {
	case a.Error != nil:
		m.err = a.Error.received()
	case a.Result != nil:
		m.result, m.err = a.Result, nil
	}
}
