package deliver

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/internal/portuguese"
)

// explain is why nothing arrived, for people.
func explain(err error) string {
	var (
		name    *net.DNSError
		timeout net.Error
		sent    *url.Error
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	switch {
	case errors.Is(err, errForbidden), errors.As(err, &name): // one word for both: nobody is to find out names of the hub's own network
		return "o endereço não existe ou não é público; o hub só envia para redes próprias com --webhook-networks"
	case errors.Is(err, context.DeadlineExceeded):
		return "não respondeu em 15 segundos"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "não respondeu a tempo"
	case errors.As(err, &host):
		return "o certificado não é de " + host.Host
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "o certificado não confere: vencido ou ainda não válido"
	case errors.As(err, &invalid):
		return "o certificado não confere"
	case errors.Is(err, http.ErrSchemeMismatch):
		return "o outro lado não fala TLS"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		strings.HasSuffix(err.Error(), "server closed idle connection"): // before the request was sent; it has no type
		return "a conexão foi encerrada sem resposta"
	case errors.As(err, &sent):
		err = sent.Err // the address is known
	}
	if strings.Contains(err.Error(), "malformed") || strings.HasPrefix(err.Error(), "net/http: ") || strings.HasPrefix(err.Error(), "http2: ") { // these have no types
		return "a resposta não é HTTP"
	}
	return portuguese.Error(err)
}
