package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// logDay makes entries such as a shop's day brings: one for each command, every
// third with details.
type logDay struct {
	random *rand.Rand
	at     time.Time
}

func newLogDay() *logDay {
	return &logDay{rand.New(rand.NewPCG(1, 2)), time.Date(2026, 11, 4, 8, 0, 0, 0, time.UTC)}
}

func (d *logDay) uuid() string {
	a, b := d.random.Uint64(), d.random.Uint64()
	return fmt.Sprintf("%08x-%04x-7%03x-9%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&(1<<48-1))
}

func (d *logDay) entry(id int64) logbook.Entry {
	r := d.random
	d.at = d.at.Add(time.Duration(r.IntN(400)) * time.Millisecond)
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	e := logbook.Entry{ID: id, At: d.at, Level: logbook.Info, Source: logbook.HTTP}
	e.Message = fmt.Sprintf("%s %d %.1fms", pick("POST /sale/item", "POST /sale/payment", "GET /status", "POST /sale",
		"POST /print/text", "POST /transaction", "GET /transaction/"+d.uuid()), pick2(r, 200, 201, 409), r.Float64()*30)
	switch r.IntN(20) {
	case 0, 1, 2, 3, 4, 5:
		e.Details = fmt.Sprintf("id=%s\nreferenceId=%s\ndescription=%s %s %dg\nquantity=%d\nunitPrice=%.2f\ntotal=%.2f\ncustomerName=%s %s\ncustomerDocument=%011d\nsellerName=%s\nadditionalInfo=caixa %d, operador %s",
			d.uuid(), d.uuid(), pick("Pão francês", "Café torrado", "Açúcar cristal", "Feijão preto", "Leite integral"),
			pick("União", "Pilão", "Itambé", "Camil"), r.IntN(1000), 1+r.IntN(9), r.Float64()*100, r.Float64()*500,
			pick("João", "Maria", "Antônio", "Conceição", "Luís"), pick("Araújo", "Gonçalves", "Magalhães", "Silva"),
			r.Int64N(1e11), pick("Ana", "Bia", "Célia"), r.IntN(20), pick("Davi", "Enzo"))
	case 6:
		e.Level, e.Source = logbook.Warning, logbook.App
		e.Message = fmt.Sprintf("total do item difere: esperado %.2f, recebido %.2f", r.Float64()*100, r.Float64()*100)
	case 7:
		e.Level, e.Source = logbook.Debug, logbook.Router
		e.Message = "rota " + pick("/sale", "/sale/item", "/ask", "/print/xml")
	}
	return e
}

func pick2(r *rand.Rand, n ...int) int { return n[r.IntN(len(n))] }

// fillLogs stores n entries, those in rare among them, and writes the same lines
// to a text file.
func fillLogs(tb testing.TB, n int, rare map[int64]string) (*Logs, string) {
	tb.Helper()
	dir := tb.TempDir()
	l, err := OpenLogs(filepath.Join(dir, "logs.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	text, err := os.Create(filepath.Join(dir, "logs.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	defer text.Close()
	lines := bufio.NewWriter(text)
	day := newLogDay()
	batch := make([]logbook.Entry, 0, 1000)
	for id := int64(1); id <= int64(n); id++ {
		e := day.entry(id)
		if s, ok := rare[id]; ok {
			e.Details += "\nobservacao=" + s
		}
		lines.Write(logbook.AppendLine(nil, e))
		if batch = append(batch, e); len(batch) == cap(batch) || id == int64(n) {
			if err := l.Append(batch); err != nil {
				tb.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	if err := lines.Flush(); err != nil {
		tb.Fatal(err)
	}
	return l, text.Name()
}

// BenchmarkLogsSearch looks for what occurs once among a million entries, and has
// grep look through the same lines.
func BenchmarkLogsSearch(b *testing.B) {
	needles := []string{
		"0192f3a4-7c1e-7b22-8d1f-3a5e8c9b1d20", // a UUID
		"8675309421",                           // a number
		"Jabuticaba Açaí",                      // accents
		"xyz",                                  // short
		"POST /sale/item 418 7.3ms",            // mostly common parts
		"never said",                           // not there
	}
	rare := map[int64]string{}
	for i, s := range needles[:5] {
		rare[int64(100_000+170_000*i)] = s
	}
	l, text := fillLogs(b, 1_000_000, rare)
	for _, needle := range needles {
		b.Run("find/"+needle, func(b *testing.B) {
			for b.Loop() {
				if err := l.Find(context.Background(), logbook.Query{Search: needle}, func(logbook.Entry) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("grep/"+needle, func(b *testing.B) {
			for b.Loop() {
				exec.Command("grep", "-c", "-F", needle, text).Run() // exits 1 when it finds nothing
			}
		})
	}
}

// BenchmarkLogsAppend stores entries a thousand at a time; one operation is one entry.
func BenchmarkLogsAppend(b *testing.B) {
	l, err := OpenLogs(filepath.Join(b.TempDir(), "logs.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	day := newLogDay()
	batch := make([]logbook.Entry, 1000)
	for i := range batch {
		batch[i] = day.entry(0)
	}
	var id int64
	b.ReportAllocs()
	for n := b.N; n > 0; n -= len(batch) {
		part := batch[:min(n, len(batch))]
		for i := range part {
			id++
			part[i].ID = id
		}
		if err := l.Append(part); err != nil {
			b.Fatal(err)
		}
	}
}
