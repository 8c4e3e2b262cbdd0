package printer

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// DefaultPort is where network printers take their bytes.
const DefaultPort = "9100"

const (
	dialTime = 4 * time.Second
	// retryTime is how long a refused connection is tried again. Many printers
	// take one at a time and need a moment after the last.
	retryTime = time.Second
	// sendBuffer is small so that what counts as sent is nearly with the printer.
	sendBuffer = 16 << 10
	// segment is small, in bytes, because the other side makes room known by
	// segments: a slow printer would show no sign of life for seconds.
	segment = 536
)

// NewNetwork is the printer at HOST:PORT.
func NewNetwork(address string, o Options) (*Thermal, error) {
	return newThermal(o, func(ctx context.Context) (line, error) { return dial(ctx, address) })
}

func dial(ctx context.Context, address string) (line, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	dialer := net.Dialer{Control: smallSegments}
	for began := time.Now(); ; {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			tcp := conn.(*net.TCPConn)
			_ = tcp.SetWriteBuffer(sendBuffer) // one that does not take it prints all the same
			return socket{tcp}, nil
		}
		var unknown *net.DNSError
		if errors.As(err, &unknown) || ctx.Err() != nil || time.Since(began) > retryTime {
			return nil, err
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// socket is a line over a network.
type socket struct{ *net.TCPConn }

func (s socket) read(p []byte, within time.Duration) (int, error) {
	if err := s.SetReadDeadline(time.Now().Add(within)); err != nil {
		return 0, err
	}
	return s.Read(p)
}

func (s socket) write(p []byte, within time.Duration) (int, error) {
	if err := s.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return 0, err
	}
	return s.Write(p)
}

func (s socket) unsent() int { return queued(s.TCPConn) }

// close says goodbye before it hangs up. Bytes that came and nobody read would
// turn the goodbye into a break, on which a printer may throw its buffer away.
func (s socket) close() error {
	_ = s.CloseWrite()
	var rest [64]byte
	for {
		if _, err := s.read(rest[:], time.Millisecond); err != nil {
			break
		}
	}
	// The printer has everything and may have hung up first.
	if err := s.Close(); err != nil && !errors.Is(err, net.ErrClosed) && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return nil
}

func (s socket) drop() {
	_ = s.SetLinger(0) // the system would go on sending what it has taken
	_ = s.Close()
}
