//go:build unix && (!race || everything)

package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

// patient waits for bodies for as long as a busy machine takes.
func patient(c *app.Config) {
	c.Timeouts.API.Body, c.Timeouts.API.Rest = waittest.Limit, waittest.Limit
}

// waitingForBodies is how many handlers wait for the next piece of a body.
func waitingForBodies(t *testing.T) (n int) {
	t.Helper()
	var stacks bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
		t.Fatal(err)
	}
	_, blocks, _ := strings.Cut(stacks.String(), "\n") // the first line is a heading
	for _, block := range strings.Split(blocks, "\n\n") {
		if strings.Contains(block, "httpapi.(*boundedBody).Read") {
			var same int
			fmt.Sscanf(block, "%d @", &same) //nolint:errcheck // then it is none
			n += same
		}
	}
	return n
}

func heapNow() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// A length is only announced: what has not come takes no memory.
func TestAbuseAnnouncedLengths(t *testing.T) {
	directOnly(t, "more requests at once than a link carries")
	const many = 1500
	roomFor(t, many)
	m := start(t, patient)
	runtime.GC()
	before := heapNow()
	auth := "Authorization: " + basic(testUser+":"+testPassword).value + "\r\n"
	var conns []net.Conn
	for range many {
		conns = append(conns, m.knock("POST /sale HTTP/1.1\r\nHost: x\r\n"+auth+"Content-Length: 1000000\r\n\r\n{"))
	}
	waittest.Until(t, "they are all waited for", func() bool { return waitingForBodies(t) == many })
	runtime.GC()
	if grown := heapNow() - before; grown > 100<<20 {
		t.Errorf("%d callers that sent a byte each take %d MiB", many, grown>>20)
	}
	m.othersAreServed("while megabytes are announced")
	for _, conn := range conns {
		conn.Close()
	}
}

// carousel is a body of so many bytes with one small picture in it.
func carousel(t *testing.T, size int) string {
	t.Helper()
	picture := base64.StdEncoding.EncodeToString(encodedAs(t, "png", halfBlack(16, 16)))
	return fmt.Sprintf(`{"backgroundColor":"#fff","images":["%s"],"unknown":"%s"}`, picture, strings.Repeat("x", size))
}

// Bodies of all callers have a bound together: beyond it large ones are refused as busy, and commands still get through.
func TestAbuseBodiesTogether(t *testing.T) {
	directOnly(t, "bodies that stall are the hub's to end")
	m := start(t, patient)
	auth := "Authorization: " + basic(testUser+":"+testPassword).value + "\r\n"
	const busy = "Aplicativo ocupado realizando outra operação, tente mais tarde!"
	half := strings.Repeat("x", 40<<20)
	var slow []net.Conn
	for range 2 {
		conn := m.knock("POST /display/carousel HTTP/1.1\r\nHost: x\r\n" + auth + "Content-Length: 63000000\r\n\r\n" + half)
		slow = append(slow, conn)
	}
	waittest.Until(t, "two large bodies are on their way", func() bool { return waitingForBodies(t) == 2 })
	if a := m.unchecked("POST", "/display/carousel", carousel(t, 30<<20)); a.status != http.StatusServiceUnavailable || a.json()["message"] != busy {
		t.Errorf("a third: %d %s", a.status, a.body)
	}
	const crowded = "Muitos documentos grandes ao mesmo tempo, tente novamente em instantes" // a render needs no free terminal
	if a := m.unchecked("POST", "/render/image", strings.Repeat("x", 12<<20)); a.status != http.StatusServiceUnavailable || a.json()["message"] != crowded {
		t.Errorf("a large picture to draw: %d %s", a.status, a.body)
	}
	m.othersAreServed("while there is no room for large bodies")
	m.call("POST", "/render/text", `[{"text":"Pedido"}]`).ok()
	m.call("POST", "/print/text", fmt.Sprintf(`[{"text":{"value":"%s"}}]`, strings.Repeat("x", 1000))).ok()
	for _, conn := range slow {
		conn.Close()
	}
	waittest.Until(t, "there is room again", func() bool {
		return m.unchecked("POST", "/display/carousel", carousel(t, 30<<20)).status == http.StatusOK
	})
}

// Many carousels at once take no more memory than there is for them.
func TestAbuseCarouselsTogether(t *testing.T) {
	directOnly(t, "the terminal's own memory")
	m := start(t, patient)
	body := carousel(t, 58<<20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	var shown atomic.Int64
	for range 12 {
		all.Go(func() {
			switch a := m.unchecked("POST", "/display/carousel", body); a.status {
			case http.StatusOK:
				shown.Add(1)
			case http.StatusServiceUnavailable:
			default:
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	if shown.Load() == 0 {
		t.Error("none of them was shown")
	}
	if grown := int64(after.Sys) - int64(before.Sys); grown > 600<<20 {
		t.Errorf("twelve carousels of 58 MiB took %d MiB from the system", grown>>20)
	}
}

// What one request takes in memory has a bound, whatever is in it: its own bytes, what they become, and some more.
func TestMemoryOfOneRequest(t *testing.T) {
	directOnly(t, "the terminal's own memory")
	m := start(t)
	percent := debug.SetGCPercent(10) // what is held is judged, not what is left to be collected: that is as much again, or more on a busy machine
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	const most = 64 << 20
	for name, row := range map[string]struct{ path, body string }{
		"groups":           {"/ask", `{"question":{"type":"REGEX","regex":"` + strings.Repeat("(a|b)*", 100_000) + `"}}`},
		"groups, short":    {"/ask", `{"question":{"type":"REGEX","regex":"` + strings.Repeat("(a|b)*", 160) + `","maxLength":2000000000}}`},
		"repetition":       {"/ask", `{"question":{"type":"REGEX","regex":"` + strings.Repeat(".{1000}", 140) + `"}}`},
		"classes":          {"/ask", `{"question":{"type":"REGEX","regex":"[` + strings.Repeat(`\\pL`, 300) + `]{9}","maxLength":2000000000}}`},
		"form of patterns": {"/ask/form", `{"questions":[` + strings.TrimSuffix(strings.Repeat(`{"type":"REGEX","regex":"(.{30}){30}"},`, 900), ",") + `]}`},
		"form of classes":  {"/ask/form", `{"questions":[` + strings.TrimSuffix(strings.Repeat(`{"type":"REGEX","regex":"[`+strings.Repeat(`\\pL`, 300)+`]"},`, 700), ",") + `]}`},
		"mask":             {"/ask", `{"question":{"mask":"` + strings.Repeat("#", 1<<19) + `"}}`},
		"many objects":     {"/sale/item", `{"x":[` + strings.TrimSuffix(strings.Repeat(`{"a":{}},`, 49_000), ",") + `]}`},
		"deep":             {"/transaction", `{"details":` + strings.Repeat("[", 1<<19)},
		"long texts":       {"/sale/item", `{"code":"` + strings.Repeat("x", 1<<19) + `","description":"` + strings.Repeat(`\u00e7`, 80_000) + `"}`},
		"elements":         {"/print/xml", `<nfeProc>` + strings.Repeat("<a/>", 1<<20-10) + `</nfeProc>`},
	} {
		runtime.GC()
		before, peak := heapNow(), int64(0)
		stop, sampled := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(sampled)
			for {
				select {
				case <-stop:
					return
				default:
					peak = max(peak, heapNow())
				}
			}
		}()
		a := m.unchecked("POST", row.path, row.body)
		close(stop)
		<-sampled
		if a.status < 400 {
			t.Errorf("%s: %d %.200s", name, a.status, a.body)
		}
		if took := peak - before; took > most {
			t.Errorf("%s: %d MiB for a body of %d KiB", name, took>>20, len(row.body)>>10)
		}
	}
	m.alive()
}
