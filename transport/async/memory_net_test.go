package async_test

import (
	"context"
	"errors"
	"net"
)

// nowhere is a network without hosts.
func nowhere(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no such host")
}
