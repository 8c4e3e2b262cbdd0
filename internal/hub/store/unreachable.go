package store

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Why a connection to PostgreSQL could not be made. The driver says it in several lines, with the address.
var (
	ErrNoServer   = errors.New("no PostgreSQL answers at its address")
	ErrNoHost     = errors.New("the name of the database's server is not found")
	ErrSlow       = errors.New("the database did not answer in time")
	ErrLogin      = errors.New("the database does not let this user in with this password")
	ErrNoDatabase = errors.New("the server has no database of this name")
)

// unreachable is a connection that could not be made: one line, without the address.
type unreachable struct{ why, cause error }

func (u *unreachable) Error() string   { return u.why.Error() }
func (u *unreachable) Unwrap() []error { return []error{u.why, u.cause} }

// explainConnecting says in one line why PostgreSQL can't be reached; other errors stay as they are.
func explainConnecting(err error) error {
	var failed *pgconn.ConnectError
	if !errors.As(err, &failed) {
		return err
	}
	var said *pgconn.PgError
	var name *net.DNSError
	why := ErrNoServer
	switch {
	case errors.As(err, &said) && strings.HasPrefix(said.Code, "28"):
		why = ErrLogin
	case errors.As(err, &said) && said.Code == "3D000":
		why = ErrNoDatabase
	case said != nil:
		why = said
	case errors.As(err, &name) && !name.IsTimeout:
		why = ErrNoHost
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		why = ErrSlow
	}
	return &unreachable{why, err}
}
