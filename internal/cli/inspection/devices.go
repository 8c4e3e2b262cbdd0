package inspection

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/paper"
	"github.com/maquininha/maquininha/internal/cli/probe"
	"github.com/maquininha/maquininha/internal/printer"
)

func (i *Inspection) lookAtPrinter(s app.Standing) {
	address, err := printer.ParseAddress(s.Printer)
	switch {
	case s.Printer == "none" && i.Mode == "production":
		i.Doubtful("Impressora", "nenhuma: impressões falharão (veja --printer)")
		return
	case err != nil:
		i.Good("Impressora", "%s", map[bool]string{true: "nenhuma", false: "virtual"}[s.Printer == "none"])
		return
	case address.Host != "" && i.Offline:
		i.Skipped("Impressora", "%s, não conferida (--offline)", address.Host)
		return
	case address.Path != "" && (i.inUse || i.MayBeInUse):
		// A question in the middle of a print would be printed.
		i.Skipped("Impressora", "%s, não conferida: o serviço que está no ar a usa", address.Path)
		return
	}
	where := address.Where()
	device, err := printer.Open(address, printer.Options{Paper: s.Paper, Dialect: s.Model.Dialect})
	if err != nil {
		i.Wrong("Impressora", "%s", (&paper.Error{Where: where, Err: err}).Words())
		return
	}
	condition, err := device.Look(i.Context)
	switch {
	case err != nil:
		i.Wrong("Impressora", "%s", (&paper.Error{Where: where, Err: err}).Words())
		return
	case address.Queue():
		i.Good("Impressora", "%s está instalada; a fila não acusa nenhum problema", where)
	case !condition.Reports:
		i.Good("Impressora", "%s atende, mas não informa o seu estado", where)
	default:
		i.Good("Impressora", "%s pronta, com papel", where)
	}
	i.lookAtModel(s, condition)
}

// lookAtModel compares what the printer is taken for with what it says that it is.
func (i *Inspection) lookAtModel(s app.Standing, c printer.Condition) {
	width := fmt.Sprintf("%d pontos", s.Paper.Width)
	switch said := c.Model; {
	case s.Model.Name == "" && said.Name == "" && c.Said == "":
		i.Good("Modelo", "não informado: ESC/POS, %s; se sair errado, veja --printer-model", width)
	case s.Model.Name == "" && said.Name == "":
		i.Good("Modelo", "%s, que não está na lista: ESC/POS, %s; se sair errado, veja --printer-model", c.Said, width)
	case s.AnyPaper && c.Follows:
		i.Good("Modelo", "%s, %d pontos", c.Said, said.Paper.Width)
	case s.Model.Name == "" && said.Paper.Width != s.Paper.Width:
		i.Doubtful("Modelo", "%s imprime %d pontos, e o papel está com %s: é %s em --printer-model", c.Said, said.Paper.Width, width, said.Name)
	case s.Model.Name == "":
		i.Good("Modelo", "%s, %s", c.Said, width)
	case said.Name != "" && said.Dialect.Name != s.Model.Dialect.Name:
		i.Doubtful("Modelo", "%s está configurado, e a impressora diz que é %s (%s)", s.Model.Name, c.Said, said.Name)
	case !s.Model.Family && s.Model.Paper.Width != s.Paper.Width:
		i.Doubtful("Modelo", "%s imprime %d pontos, e o papel está com %s (--paper-width)", s.Model.Title, s.Model.Paper.Width, width)
	default:
		i.Good("Modelo", "%s, %s", s.Model.Title, width)
	}
}

// lookAtLogo says what the service only logs, which prints coupons without one.
func (i *Inspection) lookAtLogo() {
	path := i.Coupon.Logo
	if path == "" {
		return
	}
	_, picture, err := app.OpenLogo(path)
	if err != nil {
		i.Wrong("Logotipo", "%v", err)
		return
	}
	i.Good("Logotipo", "%s, de %d por %d pontos", path, picture.Bounds().Dx(), picture.Bounds().Dy())
}

func (i *Inspection) lookAtAcquirers(s app.Standing) {
	if words := s.Acquirers.Words(); words == "nenhum" {
		i.Doubtful("Adquirente", "nenhum: pagamentos serão recusados (veja --acquirer-card e --acquirer-pix)")
	} else {
		i.Good("Adquirente", "%s", words)
	}
	if s.Acquirers.UsesTEF() {
		i.lookAtTEF(s.Acquirers.TEF)
	}
	if s.Acquirers.UsesMercadoPago() {
		i.lookAtMercadoPago(s.Acquirers.MercadoPago)
	}
	if s.Acquirers.UsesConnectTEF() {
		i.lookAtConnectTEF(s.Acquirers.ConnectTEF)
	}
	if s.Acquirers.UsesCielo() {
		i.lookAtCielo(s.Acquirers.Cielo)
	}
	if s.Acquirers.UsesControlPay() {
		i.lookAtControlPay(s.Acquirers.ControlPay)
	}
	if s.Acquirers.UsesPSP() {
		i.lookAtPSP(s.Acquirers.PSP)
	}
}

func (i *Inspection) lookAtTEF(t app.TEF) {
	if i.inUse || i.MayBeInUse {
		i.Skipped("TEF", "gerenciador não conferido: o serviço que está no ar usa as pastas")
		return
	}
	req, resp, err := tef.Alive(i.Context, t.Driver())
	switch {
	case err == nil:
		i.Good("TEF", "o gerenciador %s responde em %s e %s", t.Profile, req, resp)
	case errors.Is(err, tef.ErrInactive):
		i.Wrong("TEF", "o gerenciador %s não responde em %s: está aberto, e usa estas pastas?", t.Profile, req)
	case errors.Is(err, tef.ErrOccupied):
		i.Skipped("TEF", "gerenciador não conferido: há uma operação de outro programa, ou não resolvida, em %s ou %s", req, resp)
	case errors.Is(err, fs.ErrNotExist):
		i.Wrong("TEF", "faltam as pastas %s e %s: o gerenciador está instalado nelas?", req, resp)
	case errors.Is(err, tef.ErrFolders):
		i.Wrong("TEF", "não é possível gravar em %s e %s", req, resp)
	case req == "":
		i.Wrong("TEF", "informe a pasta do gerenciador com --tef-dir")
	default:
		i.Wrong("TEF", "o gerenciador %s não responde como devia em %s (%v)", t.Profile, req, err)
	}
}

func (i *Inspection) lookAtPSP(p app.PSP) {
	if p.Certificate == "" && p.PrivateKey != "" {
		i.Wrong("PIX", "--pix-cert-key sem --pix-cert: a chave anda com o certificado dela")
		return
	}
	if p.Certificate != "" {
		pair, err := p.Driver().LoadCertificate()
		if err != nil {
			i.Wrong("PIX", "%s (--pix-cert) não serve: %s", p.Certificate, whyNoPair(err))
			return
		}
		if !probe.Dates(i.Findings, "PIX", "o certificado "+p.Certificate, pair.Leaf) {
			return
		}
	}
	if p.Check() != nil {
		return // said already
	}
	profile, _ := pix.ProfileNamed(p.Profile)
	p.URL, p.TokenURL = profile.Addresses(p.URL, p.TokenURL)
	if i.Offline {
		i.Skipped("PIX", "o banco não foi consultado (--offline)")
		return
	}
	ctx, cancel := context.WithTimeout(i.Context, 20*time.Second)
	defer cancel()
	asked := time.Now()
	clock, err := pix.Reach(ctx, p.Driver())
	took := time.Since(asked)
	if !clock.IsZero() {
		i.heardClock(clock, asked, took)
	}
	if err != nil {
		i.Wrong("PIX", "%s", whyNoPIX(err, p, profile))
		return
	}
	i.Good("PIX", "o banco deu o token e a API respondeu, em %.1f s", took.Seconds())
	if !pix.IsKey(p.Key) {
		i.Doubtful("PIX", "a chave %s não tem a forma de um CPF, CNPJ, telefone (+55…), e-mail ou chave aleatória: confira --pix-key", p.Key)
	}
}

// heardClock notes by how much the clock of an acquirer differs, which wrote it somewhere on the way and leaves the fraction of
// the second out.
func (i *Inspection) heardClock(clock, asked time.Time, took time.Duration) {
	i.pspClockKnown, i.pspClock = true, clock.Add(time.Second/2).Sub(asked.Add(took/2))
}

func whyNoPair(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "ele ou a chave (--pix-cert-key) não existe"
	case errors.Is(err, fs.ErrPermission):
		return "sem permissão para ler"
	case errors.Is(err, pix.ErrCertificatePassword):
		return "a senha é outra (veja MAQUININHA_PIX_CERT_PASSWORD)"
	}
	return "não é PKCS#12, nem um certificado e a sua chave, sem senha, em PEM (veja --pix-cert-key)"
}

// whyNotReached is for an address that nobody answered at; empty: it is something else.
func whyNotReached(err error, host string) string {
	var name *net.DNSError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var other x509.HostnameError
	var network net.Error
	switch {
	case errors.As(err, &name):
		return "o endereço " + host + " é desconhecido"
	case errors.Is(err, syscall.ECONNREFUSED):
		return host + " recusou a conexão"
	case errors.As(err, &authority):
		return "o certificado de " + host + " não é de uma autoridade conhecida"
	case errors.As(err, &invalid), errors.As(err, &other):
		return "o certificado de " + host + " não serve: confira o relógio deste computador e o endereço"
	case errors.As(err, &network) && network.Timeout():
		return host + " não responde"
	}
	return ""
}

// A clock this far off makes receipts wrong; one that is further off makes banks refuse.
const (
	offBy    = 30 * time.Second
	farOffBy = 5 * time.Minute
)

func (i *Inspection) lookAtClock() {
	now := time.Now()
	_, zone := now.Zone()
	text := now.Format("02/01/2006 15:04:05 -07:00")
	off := i.pspClock.Abs().Round(time.Second)
	switch {
	case now.Year() < 2026 || now.Year() > 2099:
		i.Wrong("Relógio", "%s: o ano não pode estar certo", text)
	case i.pspClockKnown && off > farOffBy:
		i.Wrong("Relógio", "%s: o do banco difere em %v; acerte-o", text, off)
	case i.pspClockKnown && off > offBy:
		i.Doubtful("Relógio", "%s: o do banco difere em %v", text, off)
	case zone < -5*3600 || zone > -2*3600:
		i.Doubtful("Relógio", "%s: o fuso não é do Brasil (-02:00 a -05:00)", text)
	case i.pspClockKnown:
		i.Good("Relógio", "%s, como o do banco", text)
	default:
		i.Good("Relógio", "%s", text)
	}
}
