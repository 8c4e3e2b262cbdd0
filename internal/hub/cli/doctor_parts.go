package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
)

func (e *examination) system(_ context.Context, w io.Writer, _ *console.Findings) error {
	report.System(w, e.version, e.at)
	return nil
}

// inspection is what check says. Its doubts and faults are the summary's too.
func (e *examination) inspection(ctx context.Context, w io.Writer, found *console.Findings) error {
	var said bytes.Buffer
	i := &inspection{Options: e.Options, Findings: &console.Findings{Out: io.MultiWriter(w, &said)}, readOnly: true}
	i.run(ctx, e.file, "ignorada aqui; o hub não iniciaria")
	for line := range strings.Lines(said.String()) {
		if !strings.HasPrefix(line, "–") {
			io.WriteString(found.Out, line) //nolint:errcheck // it goes into memory
		}
	}
	found.Errors, found.Doubts = i.Errors, i.Doubts
	return nil
}

func (e *examination) configuration(_ context.Context, w io.Writer, _ *console.Findings) error {
	report.Settings(w, e.flags, e.file, func(_ configfile.Setting, value string) string { return value })
	return nil
}

func (e *examination) configurationFile(_ context.Context, w io.Writer, _ *console.Findings) error {
	return report.ConfigFile(w, e.file.Of, e.Config, e.Data)
}

func (e *examination) folder(_ context.Context, w io.Writer, _ *console.Findings) error {
	if e.data == "" {
		return errors.New("não há pasta de dados")
	}
	fmt.Fprintln(w, e.data)
	if _, err := os.Stat(e.data); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(w, "não existe: o hub ainda não foi iniciado com esta pasta de dados")
		return nil
	}
	_, err := report.Files(w, e.data)
	return err
}

func (e *examination) network(_ context.Context, w io.Writer, _ *console.Findings) error {
	err := report.Interfaces(w)
	fmt.Fprintln(w)
	report.Row(w, "HTTPS", "%s", e.Configured("").Listen)
	report.Row(w, "HTTP", "%s", cmp.Or(e.HTTP, "nenhum"))
	report.Row(w, "Outros hubs", "%s", cmp.Or(e.Peers, "nenhum"))
	report.Row(w, "Endereço público", "%s", cmp.Or(e.URL, "o deste computador"))
	return errors.Join(err, report.Listening(w))
}

// hub asks the hub about itself.
func (e *examination) hub(ctx context.Context, w io.Writer, found *console.Findings) error {
	report.Row(w, "Pasta de dados", "%s", cmp.Or(e.data, "nenhuma"))
	report.Row(w, "Serviço", "%s", serviceWords())
	report.Row(w, "Em uso", "%s", map[bool]string{true: "sim: há um hub no ar com esta pasta", false: "não: nenhum hub usa esta pasta"}[e.inUse])
	if !e.inUse {
		found.Doubtful("Hub", "parado")
		return nil
	}
	var status struct {
		Version, Database string
		Uptime            int64
	}
	asked := time.Now()
	code, err := e.ask(ctx, "/status", &status)
	if err != nil || code != http.StatusOK && status.Database == "" {
		found.Wrong("Hub", "no ar, mas não responde como devia em %s", e.here())
		return cmp.Or(err, fmt.Errorf("status %d", code))
	}
	report.Row(w, "Respondeu em", "%.1f ms", float64(time.Since(asked).Microseconds())/1000)
	report.Row(w, "Versão", "%s", status.Version)
	report.Row(w, "No ar há", "%s", time.Duration(status.Uptime)*time.Second)
	report.Row(w, "Banco de dados", "%s", map[bool]string{true: "responde", false: "não responde"}[status.Database == "ok"])
	words := fmt.Sprintf("no ar há %s, versão %s", time.Duration(status.Uptime)*time.Second, status.Version)
	switch {
	case status.Database != "ok":
		found.Wrong("Hub", "%s; o banco de dados não responde", words)
	case status.Version != e.version.Number:
		found.Doubtful("Hub", "%s; este programa é %s: o hub não foi reiniciado depois da troca?", words, e.version.Number)
	default:
		found.Good("Hub", "%s", words)
	}
	return nil
}

// mostTerminals is how many are shown one by one.
const mostTerminals = 500

// terminals are those that want a look, with what the hub counts.
func (e *examination) terminals(ctx context.Context, w io.Writer, found *console.Findings) error {
	if e.inUse && os.Getenv(keyVariable) == "" {
		found.Skipped("Terminais", "não foram perguntados: falta uma chave em %s", keyVariable)
	}
	if err := e.askable(); err != nil {
		return err
	}
	var fleet struct {
		Counts    map[string]int
		Terminals []struct {
			ID, Version string
			Online      bool
			SeenAt      *string
			State       struct {
				Busy            bool
				Printer         *string
				Trouble         []string
				Unresolved      int
				ClockOffSeconds float64
			}
		}
	}
	if code, err := e.ask(ctx, "/api/v1/terminals?limit=10000", &fleet); err != nil || code != http.StatusOK {
		return cmp.Or(err, fmt.Errorf("o hub recusou a chave ou não conseguiu responder: status %d", code))
	}
	fmt.Fprintln(w, "Terminais por estado")
	for _, state := range []string{"online", "offline", "busy", "printer", "acquirer", "unresolved", "clock"} {
		fmt.Fprintf(w, "  %-12s %d\n", state, fleet.Counts[state])
	}
	if away, lost := fleet.Counts["offline"], fleet.Counts["unresolved"]; away+lost > 0 {
		found.Doubtful("Terminais", "%d ligados, %d fora do ar, %s", fleet.Counts["online"], away, console.Amount(lost, "com pagamentos sem desfecho", "com pagamentos sem desfecho"))
	} else {
		found.Good("Terminais", "%d ligados, nenhum fora do ar", fleet.Counts["online"])
	}
	fmt.Fprintln(w, "\nid, versão, ligado, visto em, ocupado, impressora, adquirentes, sem desfecho, relógio adiantado (s)")
	for n, t := range fleet.Terminals {
		if n == mostTerminals {
			fmt.Fprintf(w, "… e mais %d\n", len(fleet.Terminals)-n)
			break
		}
		fmt.Fprintf(w, "%s %s %v %s %v %s %v %d %.1f\n", t.ID, console.Dotted(t.Version), t.Online, text(t.SeenAt), t.State.Busy, text(t.State.Printer), t.State.Trouble, t.State.Unresolved, t.State.ClockOffSeconds)
	}
	var lost []json.RawMessage
	var missing struct {
		Gaps []json.RawMessage
		Next *string
	}
	return errors.Join(
		e.count(ctx, w, "Operações com a resposta perdida", "/api/v1/operations?state=broken", &lost, func() (int, bool) { return len(lost), len(lost) == mostCounted }),
		e.count(ctx, w, "Lacunas nos registros", "/api/v1/gaps?", &missing, func() (int, bool) { return len(missing.Gaps), missing.Next != nil }),
	)
}

// mostCounted is how long a page of the hub's lists can be.
const mostCounted = 500

// count reads a page of a list, and writes how many are in it and whether there may be more.
func (e *examination) count(ctx context.Context, w io.Writer, what, path string, page any, counted func() (n int, more bool)) error {
	if code, err := e.ask(ctx, fmt.Sprintf("%s&limit=%d", path, mostCounted), page); err != nil || code != http.StatusOK {
		return cmp.Or(err, fmt.Errorf("%s: status %d", what, code))
	}
	n, more := counted()
	orMore := ""
	if more {
		orMore = " ou mais"
	}
	fmt.Fprintf(w, "\n%s: %d%s\n", what, n, orMore)
	return nil
}

func text(s *string) string {
	if s == nil {
		return "–"
	}
	return console.Dotted(*s)
}

// here is where the hub of this folder answers.
func (e *examination) here() string {
	host, port, err := net.SplitHostPort(e.Configured("").Listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		host = "localhost"
	}
	return "https://" + net.JoinHostPort(host, port)
}

// longestAnswer is what is read of one: ten thousand terminals are less.
const longestAnswer = 16 << 20

// askable is why the hub can't be asked for what only a key sees.
func (e *examination) askable() error {
	switch {
	case !e.inUse:
		return errors.New("o hub está parado: não há a quem perguntar")
	case os.Getenv(keyVariable) == "":
		return errors.New("falta uma chave em " + keyVariable + ": o hub não foi perguntado")
	}
	return nil
}

// ask asks the hub for JSON.
func (e *examination) ask(ctx context.Context, path string, to any) (status int, err error) {
	status, body, err := e.fetch(ctx, path)
	if err == nil && status == http.StatusOK { // a refusal may have another shape
		err = json.Unmarshal(body, to)
	} else if err == nil {
		json.Unmarshal(body, to) //nolint:errcheck // as above
	}
	return status, err
}

// fetch asks the hub that runs here, known by its certificate's key, so that nobody else is told the API key.
func (e *examination) fetch(ctx context.Context, path string) (status int, body []byte, err error) {
	c := e.Configured(e.data)
	leaf, err := certificate.Peek(c.Cert, c.Key, c.Data)
	if err != nil || leaf == nil {
		return 0, nil, cmp.Or(err, errors.New("o certificado do hub não pode ser lido"))
	}
	client := http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, //nolint:gosec // its key is compared instead
		VerifyConnection: func(s tls.ConnectionState) error {
			if certificate.PublicKey(s.PeerCertificates[0]) != certificate.PublicKey(leaf) {
				return errors.New("quem responde não é o hub desta pasta: o certificado é outro")
			}
			return nil
		},
	}}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.here()+path, nil)
	if err != nil {
		return 0, nil, err
	}
	if id, secret, found := strings.Cut(os.Getenv(keyVariable), ":"); found {
		r.SetBasicAuth(id, secret)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil, errors.New(portuguese.Error(syserror.Reason(err)))
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(io.LimitReader(answer.Body, longestAnswer))
	return answer.StatusCode, body, err
}
