package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/store"
)

// planted is a word that is in one entry only.
const planted = "Jabuticaba açaí"

// needle is something rare that somebody would look for.
type needle struct{ kind, text string }

// fillLog stores n entries and writes the lines of their archive to a file, for grep. It returns what to look for.
func fillLog(ctx context.Context, data, text string, n int) (needles []needle, err error) {
	logs, err := store.OpenLogs(filepath.Join(data, "logs.db"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, logs.Close()) }()
	file, err := os.Create(text)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewWriterSize(file, 1<<20)
	// One entry a second up to now: the service forgets what is older than a month.
	days := shopDays{at: time.Now().Add(-time.Duration(n) * time.Second).Truncate(time.Millisecond)}
	batch := make([]logbook.Entry, 0, 1000)
	var line []byte
	for id := 1; id <= n; id++ {
		e := days.entry(int64(id))
		switch id { // what is searched lies apart, and in the middle of much
		case n / 5:
			reference := uuid.NewString()
			e.Message = "GET /transaction/" + reference + " 200 0.4ms"
			needles = append(needles, needle{"UUID fragment", reference[9:]})
		case n / 2:
			e.Details = refusedItem(planted+" 1 kg", "7891910000197")
			needles = append(needles, needle{"accented words", planted})
		case n / 5 * 4:
			code := fmt.Sprint(7_000_000_000_000 + rand.Int64N(999_999_999_999))
			e.Details = refusedItem("Café torrado Pilão 500 g", code)
			needles = append(needles, needle{"number", code[3:]})
		}
		line = logbook.AppendLine(line[:0], e)
		if _, err := lines.Write(line); err != nil {
			return nil, err
		}
		if batch = append(batch, e); len(batch) < cap(batch) && id < n {
			continue
		}
		if err := errors.Join(logs.Append(batch), ctx.Err()); err != nil {
			return nil, err
		}
		batch = batch[:0]
	}
	return needles, lines.Flush()
}

// shopDays makes the entries that days of selling leave: a line a command, and now and then a refused request
// with the body that was sent.
type shopDays struct{ at time.Time }

func (d *shopDays) entry(id int64) logbook.Entry {
	d.at = d.at.Add(time.Second)
	e := logbook.Entry{ID: id, At: d.at, Level: logbook.Info, Source: logbook.HTTP}
	took := fmt.Sprintf(" %.1fms", 0.2+rand.ExpFloat64()*3)
	switch n := rand.IntN(100); {
	case n < 50:
		e.Message = "POST /sale/item 200" + took
	case n < 60:
		e.Message = "PATCH /sale/item/" + uuid.NewString() + " 200" + took
	case n < 70:
		e.Message = anyOf("POST /sale", "POST /sale/payment", "POST /sale/finalize", "POST /print/xml", "POST /ask") + " 200" + took
	case n < 80:
		e.Message = "POST /transaction 200" + took
	case n < 90:
		e.Level, e.Message = logbook.Trace, "GET /transaction/"+uuid.NewString()+" 200"+took
	case n < 95:
		e.Level, e.Message = logbook.Warning, "POST /sale/item 400"+took
		e.Details = refusedItem(anyOf("Pão francês", "Açúcar cristal", "Feijão preto", "Leite integral")+" "+anyOf("União", "Itambé", "Camil"),
			fmt.Sprint(7_000_000_000_000+rand.Int64N(999_999_999_999)))
	default:
		e.Level, e.Source = logbook.Warning, logbook.App
		e.Message = fmt.Sprintf("item %s: o total %.2f difere em %.2f de quantidade × preço − desconto + acréscimo",
			uuid.NewString(), rand.Float64()*100, rand.Float64())
	}
	return e
}

func refusedItem(description, code string) string {
	return strings.Join([]string{
		"total: deve ser um número", "{", `  "id": "` + uuid.NewString() + `",`, `  "code": "` + code + `",`,
		`  "description": "` + description + `",`, `  "quantity": 1, "unitPrice": 8.9, "total": "8,90"`, "}",
	}, "\n")
}

func anyOf(words ...string) string { return words[rand.IntN(len(words))] }
