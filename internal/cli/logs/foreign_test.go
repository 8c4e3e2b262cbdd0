package logs_test

import (
	"bytes"
	"net"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// What listens on a port need not be a terminal; whatever it says, people read Portuguese.
func TestAForeignPortIsNamedInPortuguese(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		"SSH-2.0-OpenSSH_9.9\r\n", "", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<html></h", "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nNot found",
		"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{", "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n",
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				conn.Read(make([]byte, 1024)) //nolint:errcheck // it may be gone
				conn.Write([]byte(answer))    //nolint:errcheck // as above
				conn.Close()
			}
		}()
		cmd := clitest.Program(t, "logs", "--url", "http://"+l.Addr().String())
		cmd.Env = append(cmd.Env, "MAQUININHA_PASSWORD=x")
		var words bytes.Buffer
		cmd.Stderr = &words
		if err := cmd.Run(); err == nil {
			t.Errorf("%q was taken for a log", answer)
		}
		said := strings.TrimSpace(strings.ReplaceAll(words.String(), "http://", ""))
		for _, english := range []string{"HTTP", "Get ", "invalid", "unexpected", "EOF", "ound", "transport", "malformed", "http"} {
			if strings.Contains(said, english) {
				t.Errorf("to %q it says %q", answer, said)
				break
			}
		}
	}
}
