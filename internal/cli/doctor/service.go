package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/inspection"
	"github.com/maquininha/maquininha/internal/cli/probe"
	"github.com/maquininha/maquininha/internal/daemon"
)

// serviceState asks the service about itself.
func (v *visit) serviceState(w io.Writer) error {
	row(w, "Pasta de dados", "%s", cmp.Or(v.data, "nenhuma"))
	switch {
	case v.denied:
		row(w, "Em uso", "desconhecido: este usuário não pode ver a pasta")
		v.health.Doubtful("Dados", "este usuário não pode ver %s; rode doctor como o usuário do serviço", v.data)
	case v.inUse:
		row(w, "Em uso", "sim: há um serviço no ar com esta pasta")
	default:
		row(w, "Em uso", "não: nenhum serviço usa esta pasta")
	}
	v.another = v.lookForAnother()
	row(w, "Serviço", "%s", v.inWords())
	row(w, "Endereço", "%s, usuário %s", cmp.Or(v.service.URL, "desconhecido"), v.service.User)
	v.devices(w)
	if v.api == nil {
		if !v.inUse && !v.unsure() {
			v.health.Doubtful("Serviço", "%s", v.inWords())
			return errors.New("o serviço está parado: não há a quem perguntar")
		}
		say := v.health.Skipped
		if v.unsure() {
			say = v.health.Doubtful
		}
		say("Serviço", "%s; não foi perguntado: %v", v.inWords(), v.apiErr)
		return v.apiErr
	}
	asked := time.Now()
	health, err := v.api.Status(v.ctx)
	took := time.Since(asked)
	if err != nil {
		worded := v.service.Words(err)
		v.apiErr = worded
		switch {
		case v.inUse:
			v.health.Wrong("Serviço", "no ar, mas não responde como devia: %v", worded)
		case errors.Is(err, client.ErrUnreachable):
			v.health.Doubtful("Serviço", "%s", v.inWords())
		default:
			v.health.Doubtful("Serviço", "%s; %v", v.inWords(), worded)
		}
		return worded
	}
	row(w, "Respondeu em", "%.1f ms", float64(took.Microseconds())/1000)
	row(w, "Situação", "%s", health.Status)
	row(w, "No ar desde", "%s (há %s)", health.StartedAt.Format("02/01/2006 15:04:05 -07:00"), time.Duration(health.UptimeSeconds)*time.Second)
	info, err := v.api.Info(v.ctx)
	if err != nil {
		v.health.Wrong("Serviço", "responde a /status, mas não a /info: %v", v.service.Words(err))
		return v.service.Words(err)
	}
	v.showInfo(w, info, time.Duration(health.UptimeSeconds)*time.Second)
	return v.showMetrics(w)
}

// counted are the metrics that tell how screen, printer and acquirers have been doing.
var counted = regexp.MustCompile(`^maquininha_(screen_pages|foreground|prints_total|print_failures_total|payments_unresolved|hub_joined|hub_connected|hub_refused|payments_total|questions_total|unauthorized_total|busy_since_timestamp_seconds)[ {]`)

// showMetrics are what the service has counted since it started.
func (v *visit) showMetrics(w io.Writer) error {
	ctx, cancel := v.brief()
	defer cancel()
	var text []byte
	if err := v.api.Do(ctx, http.MethodGet, "/metrics", nil, &text); err != nil {
		return fmt.Errorf("métricas: %w", v.service.Words(err))
	}
	v.showHub(w, string(text))
	fmt.Fprintln(w, "\nTela, impressões e pagamentos desde o início do serviço (métricas que não são zero)")
	some := false
	for line := range strings.Lines(string(text)) {
		if counted.MatchString(line) && !strings.HasSuffix(line, " 0\n") {
			fmt.Fprint(w, "  ", line)
			some = true
		}
	}
	if !some {
		fmt.Fprintln(w, "  nenhuma")
	}
	return nil
}

// showInfo is what the service says of itself.
func (v *visit) showInfo(w io.Writer, info client.Info, up time.Duration) {
	mode := cmp.Or(map[string]string{"emulator": "emulador", "production": "produção"}[info.Mode], info.Mode)
	row(w, "Versão", "%s (build %s)", info.Version, info.Build)
	row(w, "Modo", "%s", mode)
	row(w, "Plataforma", "%s, idioma %s, fuso %s", info.Platform, info.Locale, info.TimeZone)
	row(w, "Tela, agora", "%s", map[bool]string{true: "em primeiro plano", false: "em segundo plano, ou fechada"}[info.Active])
	row(w, "Ocupado", "%s", map[bool]string{true: "sim, com uma operação", false: "não"}[info.Busy])
	words := fmt.Sprintf("no ar há %s, versão %s, modo %s", up, info.Version, mode)
	switch {
	case info.Version != v.version.Number || info.Build != v.version.Build:
		v.health.Doubtful("Serviço", "%s; este programa é %s (build %s): o serviço não foi reiniciado depois da troca?", words, v.version.Number, v.version.Build)
	case !v.inUse && v.unsure():
		v.health.Doubtful("Serviço", "%s, talvez com outra pasta de dados que não %s", words, v.data)
	default:
		v.health.Good("Serviço", "%s", words)
	}
	if !info.Active {
		v.health.Doubtful("Tela", "em segundo plano, ou fechada: pagamentos esperam 15 s e falham")
	}
}

// devices are what the terminal is set to use: the configuration, and what was chosen at the screen. How they are is check's to find
// out.
func (v *visit) devices(w io.Writer) {
	row(w, "Tela", "%s", map[bool]string{true: "nenhuma", false: "em " + v.Screen}[v.Screen == "none"])
	s, err := app.Stands(v.Configured(v.data))
	unless := ""
	if err != nil {
		unless = " (se nada foi escolhido na tela: os dados não podem ser lidos)"
	}
	printer := s.Printer
	switch {
	case printer == "none":
		printer = "nenhuma"
	case strings.HasPrefix(printer, "virtual"):
		printer = "virtual"
	}
	row(w, "Impressora", "%s%s", printer, unless)
	row(w, "Adquirentes", "%s%s", s.Acquirers.Words(), unless)
}

// lookForAnother finds a service that runs without using this folder, or without our being able to see that it does.
func (v *visit) lookForAnother() string {
	if v.inUse {
		return ""
	}
	if scheme, address, found := strings.Cut(v.service.URL, "://"); found && probe.Answers(scheme+"://", address, "/status", inspection.IsAPI) {
		return "uma maquininha atende em " + v.service.URL
	}
	m, err := daemon.Open(daemon.Setup{Program: daemon.Terminal})
	if err != nil {
		return ""
	}
	if s, err := m.Status(); err == nil && s.Running {
		return fmt.Sprintf("o gerenciador de serviços tem uma maquininha no ar, processo %d", s.PID)
	}
	return ""
}

// unsure tells whether a service may run of which this user, or this configuration, does not let us know.
func (v *visit) unsure() bool { return v.denied || v.config.Err != nil || v.another != "" }

func (v *visit) inWords() string {
	const how = "; rode doctor como administrador, ou com o --config e o --data do serviço"
	switch {
	case v.inUse:
		return "no ar"
	case v.another != "":
		return v.another + ", e não se vê daqui que use esta pasta" + how
	case v.unsure():
		return "desconhecido: daqui não se vê a pasta, ou a configuração, do serviço" + how
	}
	return "parado"
}
