package pix

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// problem is an answer that is no success, in the PSP's words.
type problem struct {
	remote.Complaint
	notFound bool // the API itself says that there is no such thing
	api      bool // it is no page of a proxy
	violated bool // it names what is wrong with the request
}

type problemJSON struct {
	Type      string          `json:"type"`
	Title     string          `json:"title"`
	Detail    string          `json:"detail"`
	Violacoes json.RawMessage `json:"violacoes"`
	Timestamp string          `json:"timestamp"` // of a bank that has no type
	// Of a gateway that is the bank's own.
	Attributes json.RawMessage `json:"attributes"`
	// As OAuth2 has it, and as some PSPs have it.
	Error       any    `json:"error"`
	Description string `json:"error_description"`
	Nome        string `json:"nome"`
	Mensagem    string `json:"mensagem"`
	Message     string `json:"message"`
	// As lists of the banks' own.
	Erros     []saidJSON `json:"erros"`
	Mensagens []saidJSON `json:"mensagens"`
}

type saidJSON struct {
	Codigo   string `json:"codigo"`
	Mensagem string `json:"mensagem"`
}

type violation struct {
	Razao       string `json:"razao"`
	Propriedade string `json:"propriedade"`
}

// parseProblem reads RFC 7807 and what is like it. Whatever is no JSON is left out: pages of proxies help nobody.
// Hide takes out the secrets that a PSP may repeat.
func parseProblem(status int, raw []byte, hide func(string) string) *problem {
	p := &problem{Complaint: remote.Complaint{Who: "the PSP", Status: status}}
	p.api = len(bytes.TrimSpace(raw)) == 0
	var j problemJSON
	if json.Unmarshal(raw, &j) != nil {
		return p
	}
	p.api = j.ofCentralBank() || j.ofABank() || len(j.Attributes) > 0
	p.notFound = status == http.StatusNotFound && (j.ofABank() || j.missing())
	oauth, _ := j.Error.(string)
	parts := []string{j.Title, j.Detail, oauth, j.Description, j.Mensagem, j.Message}
	for _, said := range slices.Concat(j.Erros, j.Mensagens) {
		parts = append(parts, said.Mensagem)
	}
	broken := violations(j.Violacoes)
	p.violated = len(broken) > 0
	for _, v := range broken {
		parts = append(parts, strings.Trim(v.Propriedade+": "+v.Razao, ": "))
	}
	var said []string
	for _, s := range parts {
		if s = remote.Tidy(hide(s)); s != "" { // hidden first: a secret cut in half is still half a secret
			said = append(said, s)
		}
	}
	p.Text = remote.Tidy(strings.Join(said, "; "))
	return p
}

func (j problemJSON) ofCentralBank() bool { return j.Type != "" || j.Title != "" || j.Detail != "" }

// ofABank tells of forms that only banks' APIs have: they are the API's word whatever they say.
func (j problemJSON) ofABank() bool {
	coded := func(s saidJSON) bool { return s.Codigo != "" && s.Mensagem != "" }
	return j.Nome != "" && (j.Mensagem != "" || strings.Contains(j.Nome, "encontrad")) || slices.ContainsFunc(slices.Concat(j.Erros, j.Mensagens), coded)
}

// missing tells the Central Bank's word for what there is not, by its type, or that of a bank that has a timestamp in its place. A 404
// that does not speak of the API's own things is a wrong address, and proves nothing about a charge: a page that was not found has a
// title and a detail too.
func (j problemJSON) missing() bool {
	speaks := func(s string) bool { return strings.Contains(strings.ToLower(s), "encontrad") }
	return speaks(j.Type) || j.Type == "" && j.Timestamp != "" && speaks(j.Title) && j.Detail != ""
}

// violations are a list, though the Central Bank's own examples have a single one too.
func violations(raw json.RawMessage) []violation {
	var many []violation
	if json.Unmarshal(raw, &many) == nil {
		return many[:min(len(many), 5)]
	}
	var one violation
	if json.Unmarshal(raw, &one) == nil {
		return []violation{one}
	}
	return nil
}

// noEffect tells that the PSP did not act on a call: it said so, or never got it.
func noEffect(err error) bool { return remote.NoEffect(err) }

// tokenFault is what went wrong before the API was asked: it says nothing of what the API has.
type tokenFault struct{ error }

func (f tokenFault) Unwrap() error { return f.error }

func isNotFound(err error) bool {
	var p *problem
	var before tokenFault
	return !errors.As(err, &before) && errors.As(err, &p) && p.notFound
}

// refusalOf makes a refusal of a call without effect.
func refusalOf(err error) *remote.Refusal {
	var p *problem
	if errors.As(err, &p) && !p.Transient() {
		return &remote.Refusal{Message: cmp.Or(p.Text, "Recusado pelo PSP"), Said: true}
	}
	return &remote.Refusal{Message: "PSP fora do ar"}
}

// refused tells a definite no from a failure on the way.
func refused(err error) bool {
	var p *problem
	return errors.As(err, &p) && !p.Transient()
}

// conclude says what a PUT that failed, and a look for what it may have made all the same, mean together.
func conclude(put, look error) error {
	if noEffect(put) && (isNotFound(look) || refused(look)) {
		return refusalOf(put)
	}
	return errors.Join(put, look)
}
