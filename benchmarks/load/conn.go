package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
)

// Conn is a connection that is kept alive.
type Conn struct {
	conn      net.Conn
	reader    *bufio.Reader
	exchanges []Exchange
	requests  [][]byte // of exchanges, as they are written
	right     [][]byte // answers that were found right, of each exchange
	next      int
	body      bytes.Buffer
}

// Dial connects. The first exchange is that of number first.
func Dial(addr string, exchanges []Exchange, first int) (*Conn, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &Conn{
		conn: conn, reader: bufio.NewReaderSize(conn, 64<<10),
		exchanges: exchanges, right: make([][]byte, len(exchanges)), next: first % len(exchanges),
	}
	for _, x := range exchanges {
		c.requests = append(c.requests, wire(addr, x))
	}
	return c, nil
}

// Close ends the connection.
func (c *Conn) Close() error { return c.conn.Close() }

// wire is the request as HTTP/1.1 sends it.
func wire(addr string, x Exchange) []byte {
	out := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: load\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", x.Path, addr, len(x.Body))
	for _, h := range x.Header {
		out = fmt.Appendf(out, "%s: %s\r\n", h[0], h[1])
	}
	return append(append(out, "\r\n"...), x.Body...)
}

// Do makes the next exchange. The answer is compared with one that was judged
// before, and judged where it is another.
func (c *Conn) Do() error {
	i := c.next
	c.next = (i + 1) % len(c.exchanges)
	if _, err := c.conn.Write(c.requests[i]); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return err
	}
	c.body.Reset()
	_, err = io.Copy(&c.body, resp.Body)
	if err != nil {
		return err
	}
	answer := c.body.Bytes()
	switch {
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("HTTP %d: %.200q", resp.StatusCode, answer)
	case resp.Close:
		return fmt.Errorf("the server ends the connection")
	case c.right[i] != nil && bytes.Equal(answer, c.right[i]):
		return nil
	}
	if err := c.exchanges[i].Judge(answer); err != nil {
		return fmt.Errorf("%w in %.200q", err, answer)
	}
	c.right[i] = slices.Clone(answer)
	return nil
}
