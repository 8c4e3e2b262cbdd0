package simulate

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
)

// flag is the word after a flag in the command line that the simulator shows.
func flag(words []string, name string) string {
	if i := slices.Index(words, name); i >= 0 {
		return words[i+1]
	}
	return ""
}

// Each bank serves over HTTPS, wants the certificate where it is known to, and tells the command line with which it is used.
func TestEveryBankWantsItsCertificate(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "livro.jsonl")
	secure, err := papersBeside(ledger).server("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := papersBeside(ledger).server("0.0.0.0:1"); err != nil || !again.Certificates[0].Leaf.Equal(secure.Certificates[0].Leaf) {
		t.Fatalf("other certificates the second time: %v", err)
	}
	if other, err := papersBeside(filepath.Join(t.TempDir(), "outro.jsonl")).server("127.1.2.3:1"); err != nil || other.Certificates[0].Leaf.VerifyHostname("127.1.2.3") != nil {
		t.Fatalf("not where it listens: %v", err)
	}
	for _, bank := range pixsim.Banks[1:] {
		t.Run(bank.Name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			ready, done := make(chan net.Addr, 1), make(chan error, 1)
			s := PIX{As: bank.Name, ClientID: "simulador", ClientSecret: "segredo", Key: "chave", AppKey: "app"}
			go func() {
				done <- pixsim.Run(ctx, pixsim.Config{
					As: bank.Name, Listen: "127.0.0.1:0", TLS: secure, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Key: s.Key, AppKey: s.AppKey,
					Ledger: filepath.Join(t.TempDir(), "livro.jsonl"), Ready: func(a net.Addr) { ready <- a },
				})
			}()
			defer func() {
				stop()
				if err := <-done; err != nil {
					t.Error(err)
				}
			}()
			said := s.welcome(<-ready, ledger)
			words := strings.Fields(said[strings.Index(said, "usa-o com:"):])
			config := pix.Config{
				Profile: flag(words, "--pix-profile"), BaseURL: flag(words, "--pix-url"), TokenURL: flag(words, "--pix-token-url"),
				ClientID: flag(words, "--pix-client-id"), ClientSecret: s.ClientSecret, Key: flag(words, "--pix-key"), AppKey: flag(words, "--pix-app-key"),
				CA: flag(words, "--pix-ca"), Certificate: flag(words, "--pix-cert"), CertificatePassword: bundlePassword,
				Shop: flag(words, "--pix-shop"), City: flag(words, "--pix-city"),
			}
			if _, err := pix.Reach(t.Context(), config); err != nil {
				t.Errorf("with all that it told: %v", err)
			}
			config.Certificate = ""
			_, err := pix.Reach(t.Context(), config)
			if status, _, _ := pix.Answer(err); status != 403 || errors.Is(err, pix.ErrAPI) != bank.NoTokenCert {
				t.Errorf("without a certificate: %v", err)
			}
		})
	}
}
