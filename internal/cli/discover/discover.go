// Package discover is the command that finds the terminals of the local network.
package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/discovery"
)

// Command is maquininha discover.
type Command struct {
	Timeout time.Duration `default:"3s" placeholder:"TEMPO" help:"Por quanto tempo esperar respostas."`
	JSON    bool          `name:"json" help:"Mostra uma lista em JSON."`
}

// Validate refuses what would never end, or never begin; kong calls it.
func (d Command) Validate() error {
	if d.Timeout <= 0 || d.Timeout > 10*time.Minute {
		return errors.New("--timeout deve ser maior que zero e de no máximo 10m")
	}
	return nil
}

// Help is the rest of the page.
func (Command) Help() string {
	return `Pergunta à rede local por terminais (mDNS, _maquininha._tcp) e lista os que responderam. Qualquer aparelho da rede pode responder o que
quiser: antes de confiar numa impressão digital, compare-a com a que o terminal mostra ao iniciar.`
}

// Run asks the network and shows who has answered.
func (d Command) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	found, err := discovery.Find(ctx)
	switch {
	case errors.Is(err, discovery.ErrNoNetwork):
		return errors.New("este computador não está em nenhuma rede que leve multicast; ligue o cabo ou o Wi-Fi, ou procure a partir de outro")
	case err != nil:
		return fmt.Errorf("não foi possível perguntar à rede (mDNS): %w", err)
	}
	if d.JSON {
		return writeFound(os.Stdout, found)
	}
	if len(found) == 0 {
		fmt.Fprintf(os.Stderr, "Nenhum terminal respondeu em %v.\n%s", d.Timeout, nobodyAnswered)
		return commandline.ErrSaid
	}
	listFound(os.Stdout, found)
	return nil
}

const nobodyAnswered = `Confira, no terminal:
  - o serviço está no ar, e seus logs dizem "anunciado na rede";
  - a API escuta na rede (--listen :9050), não só em 127.0.0.1;
  - o anúncio não foi desligado (--no-discovery, ou enabled = false em [discovery]).
E na rede:
  - este computador e o terminal estão na mesma rede, e o Wi-Fi não isola os aparelhos;
  - o firewall dos dois deixa passar UDP 5353.
Quem sabe o endereço não precisa disto: abra http://ENDEREÇO:9050 no navegador.
`

// foundBody is a terminal as other programs read it.
type foundBody struct {
	Name      string   `json:"name"`
	URL       *string  `json:"url"`      // over HTTP; null where it is not spoken
	HTTPS     *string  `json:"httpsUrl"` // over HTTPS, as above
	Addresses []string `json:"addresses"`
	Version   string   `json:"version"`
	Mode      string   `json:"mode"`
	SHA256    *string  `json:"sha256"` // of the certificate
	Pin       *string  `json:"pin"`    // of its key
}

func writeFound(w io.Writer, found []discovery.Terminal) error {
	list := []foundBody{}
	for _, t := range found {
		body := foundBody{Name: t.Name, Version: t.Version, Mode: t.Mode, URL: textOrNull(urlOf(t, "http", t.Port)), HTTPS: textOrNull(urlOf(t, "https", t.SecurePort))}
		body.SHA256, body.Pin = textOrNull(fingerprintWords(t.Fingerprint)), textOrNull(t.Pin)
		for _, a := range t.Addresses {
			body.Addresses = append(body.Addresses, a.String())
		}
		list = append(list, body)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// urlOf is where a terminal is reached; none is "".
func urlOf(t discovery.Terminal, scheme string, port int) string {
	if port == 0 {
		return ""
	}
	return scheme + "://" + net.JoinHostPort(bestAddress(t.Addresses).String(), strconv.Itoa(port))
}

// bestAddress prefers one that does not change with the cable.
func bestAddress(all []netip.Addr) netip.Addr {
	for _, a := range all {
		if !a.IsLinkLocalUnicast() {
			return a
		}
	}
	return all[0]
}

var modeWords = map[string]string{"emulator": "emulador", "production": "produção"}

// listFound shows a terminal in a block: fingerprints make a table too wide for any window.
func listFound(w io.Writer, found []discovery.Terminal) {
	for _, t := range found {
		mode := modeWords[t.Mode]
		if mode == "" {
			mode = t.Mode
		}
		fmt.Fprintf(w, "%s\n", t.Name)
		row := func(name, value string) {
			if value != "" {
				fmt.Fprintf(w, "  %-10s%s\n", name, value)
			}
		}
		row("API", urlOf(t, "http", t.Port))
		row("HTTPS", urlOf(t, "https", t.SecurePort))
		row("SHA-256", fingerprintWords(t.Fingerprint))
		row("Versão", t.Version)
		row("Modo", mode)
	}
}

// fingerprintWords is a certificate's as browsers and the service itself show it.
func fingerprintWords(digits string) string {
	var pairs []string
	for i := 0; i+1 < len(digits); i += 2 {
		pairs = append(pairs, strings.ToUpper(digits[i:i+2]))
	}
	return strings.Join(pairs, ":")
}
