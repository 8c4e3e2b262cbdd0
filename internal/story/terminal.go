package story

import (
	"context"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/screen"
)

// Printing tells of a job that is at the printer now, until the function it returns is told how it ended.
func (t *Teller) Printing(ctx context.Context, job printing.Job) (ended func(error)) {
	began := time.Now()
	from := t.current() // a receipt belongs to the operation that it is printed for
	if op := operation.NameOf(ctx); op != "" {
		from = origin{op, t.sale.Load()}
		t.running.CompareAndSwap(nil, &running{origin: from, what: "a impressão", reference: job.Name, began: began})
	}
	return func(err error) {
		f := from.facts(job.Reference)
		if job.Kind == printing.Drawer {
			t.drawer(f, err)
			return
		}
		f.add("tipo", printNames[job.Kind])
		f.add("documento", job.Name)
		f.took(began)
		switch {
		case err == nil:
			t.info("Impressão feita: "+printed(job), f)
		case job.Kind == printing.Receipt: // Unprinted tells of it
		default:
			f.add("motivo", portuguese.Error(err))
			t.warn("Impressão falhou: "+t.whyNotPrinted(err)+" ("+printed(job)+")", f)
		}
	}
}

// PrintsAgain tells that a person has asked for a print that had failed.
func (t *Teller) PrintsAgain(job printing.Job) {
	t.info("Impressão pedida de novo na tela: "+printed(job), t.waited(job))
}

// PrintDropped tells that the screen does not offer a print any more that had failed.
func (t *Teller) PrintDropped(job printing.Job) {
	t.warn("Impressão que esperava saiu da lista, por serem muitas: "+printed(job), t.waited(job))
}

func (t *Teller) waited(job printing.Job) *facts {
	f := t.current().facts(job.Reference)
	f.add("tipo", printNames[job.Kind])
	f.add("documento", job.Name)
	return f
}

// drawer tells of the cash drawer.
func (t *Teller) drawer(f *facts, err error) {
	if err == nil {
		t.info("Gaveta aberta", f)
		return
	}
	f.add("motivo", portuguese.Error(err))
	t.warn("Gaveta não foi aberta: "+t.whyNotPrinted(err), f)
}

// NotPrinted tells of what never came as far as the printer.
func (t *Teller) NotPrinted(ctx context.Context, kind printing.Kind, err error) {
	f := of(ctx)
	f.number("venda", t.sale.Load())
	f.add("tipo", printNames[kind])
	t.warn("Impressão recusada: "+t.whyNotPrinted(err)+" ("+printNames[kind]+")", f)
}

func printed(job printing.Job) string {
	if job.Name != "" {
		return oneLine(job.Name)
	}
	return printNames[job.Kind]
}

var printNames = map[printing.Kind]string{
	printing.Image: "imagem", printing.Text: "texto", printing.XML: "documento fiscal", printing.ACBr: "texto com tags ACBr", printing.Receipt: "comprovante",
}

// Printer tells when the printer is in trouble, and when it is well again.
func (t *Teller) Printer(now printing.State) {
	t.mu.Lock()
	before, since := t.printer, t.printing
	t.printer = now
	if before != now {
		t.printing = time.Time{}
		if now.Err() != nil {
			t.printing = time.Now()
		}
	}
	t.mu.Unlock()
	if before == now {
		return
	}
	f := named("")
	switch {
	case now.Err() != nil:
		t.warn("Impressora com problema: "+t.whyNotPrinted(now.Err()), f)
	case before.Err() != nil:
		f.took(since)
		t.info("Impressora voltou a funcionar", f)
	}
}

// Displayed tells of content on the display.
func (t *Teller) Displayed(ctx context.Context, c screen.Content) {
	f := of(ctx)
	f.number("venda", t.sale.Load())
	t.info("Display: "+contentName(c)+" na tela", f)
}

// DisplayCleared tells that a caller took the display's content away.
func (t *Teller) DisplayCleared(ctx context.Context, what string) {
	f := of(ctx)
	f.number("venda", t.sale.Load())
	t.info("Display: "+what, f)
}

// DisplayClosed tells that the person took content off the display.
func (t *Teller) DisplayClosed(c screen.Content) {
	t.info("Display: "+contentName(c)+" fechado por quem estava no terminal", named(""))
}

func contentName(c screen.Content) string {
	switch c := c.(type) {
	case screen.Image:
		return "imagem de " + strconv.Itoa(c.Picture.Width) + " × " + strconv.Itoa(c.Picture.Height) + " pontos"
	case screen.Text:
		if len(c.Lines) == 1 {
			return "texto de 1 linha"
		}
		return "texto de " + strconv.Itoa(len(c.Lines)) + " linhas"
	case screen.Carousel:
		return "carrossel de " + strconv.Itoa(len(c.Pictures)) + " imagens"
	}
	return "conteúdo"
}

// Announced tells of a notification in the caller's words.
func (t *Teller) Announced(ctx context.Context, title string) {
	f := of(ctx)
	f.number("venda", t.sale.Load())
	t.info("Notificação do PDV: "+oneLine(title), f)
}

// Foreground tells when the app leaves the foreground, and when it is back.
func (t *Teller) Foreground(active bool) {
	t.mu.Lock()
	since := t.away
	if t.away = time.Now(); active {
		t.away = time.Time{}
	}
	t.mu.Unlock()
	f := named("")
	if !active {
		t.info("Aplicativo saiu do primeiro plano: pagamentos esperam até que volte", f)
		return
	}
	f.took(since)
	t.info("Aplicativo em primeiro plano", f)
}

// UnknownField tells of a field that a caller sent and nobody reads; near is the known one that it looks like, if any.
func (t *Teller) UnknownField(ctx context.Context, route, name, near string) {
	f := of(ctx)
	f.add("rota", route)
	f.add("campo", name)
	message := "Campo desconhecido em " + route + ": " + oneLine(name)
	if near != "" {
		message += "; talvez seja " + near
	}
	t.logs.Add(logbook.Debug, logbook.App, message, f.String())
}
