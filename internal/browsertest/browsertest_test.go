package browsertest_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve gives out one page and nothing else.
func serve(t *testing.T, body string) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, `<!doctype html><meta name=viewport content="width=device-width"><body>`+body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const diary = `<script>
	const seen = [];
	for (const name of ["visibilitychange", "freeze", "resume"])
		document.addEventListener(name, () => seen.push(name + " " + document.visibilityState));
	let ticks = 0;
	setInterval(() => ticks++, 20);
</script>`

func TestPagesAreHiddenAndShownOneByOne(t *testing.T) {
	t.Parallel()
	address := serve(t, diary)
	first := browsertest.Start(t)
	browsertest.Run(t, first, chromedp.Navigate(address))
	second, _ := browsertest.NewPage(t, first, browsertest.Window(480, 800))
	browsertest.Run(t, second, chromedp.Navigate(address))

	diaryOf := func(page context.Context) string {
		return browsertest.Eval[string](t, page, `seen.join(", ") + "; now " + document.visibilityState`)
	}
	if got := diaryOf(first); got != "; now visible" {
		t.Errorf("with a second window the first saw: %s", got)
	}
	must(t, browsertest.Hide(first))
	must(t, browsertest.Show(first))
	must(t, browsertest.Hide(first))
	if got := diaryOf(first); got != "visibilitychange hidden, visibilitychange visible, visibilitychange hidden; now hidden" {
		t.Errorf("hidden, shown and hidden, the first saw: %s", got)
	}
	must(t, browsertest.Hide(second))
	must(t, browsertest.Show(second))
	if got := diaryOf(second); got != "visibilitychange hidden, visibilitychange visible; now visible" {
		t.Errorf("hidden and shown, the second saw: %s", got)
	}
	if got := browsertest.Eval[string](t, second, `innerWidth + "x" + innerHeight`); got != "480x800" {
		t.Errorf("shown again, the second is %s", got)
	}
	must(t, browsertest.Show(first))
	if got := diaryOf(second); !strings.HasSuffix(got, "now visible") {
		t.Errorf("with the first shown, the second saw: %s", got)
	}
}

func TestFrozenPageStandsStill(t *testing.T) {
	t.Parallel()
	address := serve(t, diary)
	page := browsertest.Start(t)
	browsertest.Run(t, page, chromedp.Navigate(address), browsertest.Wait("ticks > 3"))
	must(t, browsertest.Freeze(page))
	before := browsertest.Eval[int](t, page, "ticks")
	time.Sleep(200 * time.Millisecond) // ten ticks of the page; on a machine that gives it none this sees nothing, and fails nothing
	if after := browsertest.Eval[int](t, page, "ticks"); after != before {
		t.Errorf("frozen, it went on from %d to %d", before, after)
	}
	must(t, browsertest.Thaw(page))
	must(t, browsertest.Show(page))
	browsertest.Run(t, page, browsertest.Wait(fmt.Sprintf("ticks > %d", before+3)))
}

func TestHungPageStandsStill(t *testing.T) {
	t.Parallel()
	address := serve(t, diary)
	page := browsertest.Start(t)
	browsertest.Run(t, page, chromedp.Navigate(address), browsertest.Wait("ticks > 3"))
	for range 3 {
		must(t, browsertest.Hang(page))
		var before, after int
		now := func(into *int) { // by the debugger: a page that hangs answers nobody else
			t.Helper()
			browsertest.Run(t, page, chromedp.EvaluateAsDevTools("ticks", into))
		}
		now(&before)
		time.Sleep(100 * time.Millisecond) // five ticks of the page, as above
		if now(&after); after != before {
			t.Errorf("hung, it went on from %d to %d", before, after)
		}
		must(t, browsertest.GoOn(page))
		browsertest.Run(t, page, browsertest.Wait(fmt.Sprintf("ticks > %d", before+3)))
	}
}

func TestClosedAndKilledPagesHangUp(t *testing.T) {
	t.Parallel()
	address, closed, gone := serveOpen(t)
	page := browsertest.Start(t)
	opened := chromedp.Tasks{chromedp.Navigate(address), browsertest.Wait(`document.body.innerText.includes("open")`)}
	second, closeSecond := browsertest.NewPage(t, page)
	browsertest.Run(t, second, opened)
	closeSecond()
	waittest.Receive(t, "a closed page lets go of its connection", closed)
	waittest.Receive(t, "a closed page takes its leave", gone)
	third, _ := browsertest.NewPage(t, page)
	browsertest.Run(t, third, opened)
	browsertest.Kill(third)
	waittest.Receive(t, "a killed page lets go of its connection", closed)
	browsertest.Run(t, page, opened) // the rest of the browser is as it was
	if len(gone) != 0 {
		t.Error("a killed page took its leave")
	}
}

// serveOpen gives out a page that holds a connection and takes its leave, and says when each ends.
func serveOpen(t *testing.T) (address string, closed, gone <-chan struct{}) {
	t.Helper()
	ended, left := make(chan struct{}, 8), make(chan struct{}, 8)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, `<!doctype html><body><script>
				new EventSource("/open").onopen = () => document.body.append("open");
				addEventListener("pagehide", () => navigator.sendBeacon("/gone"));
			</script>`)
		case "/open":
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			ended <- struct{}{}
		case "/gone":
			left <- struct{}{}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, ended, left
}

func TestFingersMiceAndKeys(t *testing.T) {
	t.Parallel()
	address := serve(t, `<div style="height:2000px"></div>
		<button id=b style="width:60px;height:60px" onclick="seen.push(event.pointerType)">b</button><input id=i>
		<button id=off disabled>off</button>
		<div style="position:relative"><i id=over>x</i><b style="position:absolute;inset:0"></b></div>
		<script>
			const seen = [];
			i.onkeydown = e => seen.push((e.shiftKey && e.key.length > 1 ? "Shift+" : "") + e.key);
			setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button id=late onclick='seen.push(id)'>late</button>"), 300);
		</script>`)
	page := browsertest.Start(t, browsertest.Window(320, 480), browsertest.Touch, browsertest.Dense(2))
	browsertest.Run(t, page,
		chromedp.Navigate(address),
		browsertest.Tap("#b"), browsertest.Wait("seen.length === 1"),
		browsertest.Click("#b"), browsertest.Wait("seen.length === 2"),
		browsertest.Tap("#late"), browsertest.Wait("seen.length === 3"),
		browsertest.Tap("#i"), browsertest.Wait("document.activeElement === i"),
		browsertest.Type("1aÇ"), browsertest.Press("Backspace", "ArrowLeft", "Z", "Enter", "Escape", "Shift+Tab"),
		browsertest.Wait("document.activeElement !== i"),
	)
	const want = "touch mouse late 1 a Unidentified Backspace ArrowLeft Z Enter Escape Shift+Tab"
	if got := browsertest.Eval[string](t, page, `seen.join(" ")`); got != want {
		t.Errorf("it felt %q\nwant    %q", got, want)
	}
	if got := browsertest.Eval[string](t, page, `[i.value, innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints].join(" ")`); got != "1Za 320 480 2 5" {
		t.Errorf("it is %q", got)
	}
	if err := chromedp.Run(page, browsertest.Press("Nonsense")); err == nil {
		t.Error("there is a key of that name")
	}
	for selector, obstacle := range map[string]string{"#nowhere": "is not there", "#off": "is disabled", "#over": "is under <b"} {
		if err := chromedp.Run(page, browsertest.TapUpTo(time.Millisecond, selector)); err == nil || !strings.Contains(err.Error(), obstacle) {
			t.Errorf("tapping %s: %v", selector, err)
		}
	}
}

// What comes to lie over a button in the very moment in which it is pressed would take the press. It hears nothing of it, and the
// press is made again, as a person would.
func TestAPressThatMissesIsMadeAgain(t *testing.T) {
	t.Parallel()
	address := serve(t, `<button id=b style="position:absolute;inset:0" onclick="clicks++">b</button>
		<div id=over hidden style="position:absolute;inset:0" onpointerdown="strays++" ontouchstart="strays++" onmousedown="strays++" onclick="strays++"></div>
		<script>
			let clicks = 0, strays = 0, aims = 0;
			const listen = addEventListener;
			listen("pointerup", () => over.hidden = true, {capture: true});
			addEventListener = (kind, ...how) => {
				if (kind === "pointerdown" && how[1].once) over.hidden = aims++ % 2 > 0; // it has been aimed
				listen(kind, ...how);
			};
		</script>`)
	page := browsertest.Start(t, browsertest.Touch)
	browsertest.Run(t, page, chromedp.Navigate(address), browsertest.Tap("#b"), browsertest.Wait("clicks === 1 && aims === 2"),
		browsertest.Click("#b"), browsertest.Wait("clicks === 2 && aims === 4 && strays === 0"))
}

// A page that moves under the finger leaves it above something else, which hears nothing of it either.
func TestAPressUnderWhichThePageMovesIsMadeAgain(t *testing.T) {
	t.Parallel()
	address := serve(t, `<div style="position:absolute;inset:0" onclick="strays++"></div>
		<button id=b style="position:absolute;inset:0 0 auto;height:80px" onclick="event.stopPropagation(); clicks++">b</button>
		<script>
			let clicks = 0, strays = 0, presses = 0;
			b.onpointerdown = () => { if (presses++ % 2 === 0) b.style.top = presses * 100 + "px"; };
		</script>`)
	page := browsertest.Start(t, browsertest.Touch)
	browsertest.Run(t, page, chromedp.Navigate(address), browsertest.Tap("#b"), browsertest.Wait("clicks === 1 && presses === 2"),
		browsertest.Click("#b"), browsertest.Wait("clicks === 2 && presses === 4 && strays === 0"))
}

// A key that the page takes for itself types nothing any more, into whatever has the focus by then.
func TestAKeyThatIsTakenPressesNothingElse(t *testing.T) {
	t.Parallel()
	address := serve(t, `<button id=first>first</button><button id=b onclick="clicks++">b</button>
		<script>
			let clicks = 0;
			first.onkeydown = e => { e.preventDefault(); b.focus(); };
		</script>`)
	page := browsertest.Start(t)
	browsertest.Run(t, page, chromedp.Navigate(address), chromedp.Evaluate(`first.focus()`, nil), browsertest.Press("Enter"))
	if clicks := browsertest.Eval[int](t, page, "clicks"); clicks != 0 {
		t.Errorf("the button that came next was pressed %d times", clicks)
	}
	browsertest.Run(t, page, browsertest.Press("Enter"), browsertest.Wait("clicks === 1"))
}

func TestWaitSaysWhatThePageShowsInstead(t *testing.T) {
	t.Parallel()
	address := serve(t, `<main data-view=idle>Caixa livre</main>`)
	page := browsertest.Start(t)
	browsertest.Run(t, page, chromedp.Navigate(address))
	err := chromedp.Run(page, browsertest.WaitUpTo(100*time.Millisecond, `document.title === "x"`))
	for _, want := range []string{`document.title === "x"`, "Caixa livre", "views: idle", "visible"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
}

func TestWatchHearsComplaints(t *testing.T) {
	t.Parallel()
	address := serve(t, `<script>console.warn("careful", 1); setTimeout(() => { throw new Error("oops") })</script>
		<img src="/missing.png"><img src="http://127.0.0.1:1/elsewhere.png">`)
	page := browsertest.Start(t)
	record := browsertest.Watch(page)
	browsertest.Run(t, page, chromedp.Navigate(address))
	waittest.Until(t, "the page complains of four things", func() bool { return len(record.Complaints()) >= 4 })
	all := strings.Join(record.Complaints(), "\n")
	for _, want := range []string{"careful", "oops", "missing.png", "elsewhere.png"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in:\n%s", want, all)
		}
	}
	if got := record.Strangers(address); len(got) != 1 || got[0] != "http://127.0.0.1:1/elsewhere.png" {
		t.Errorf("strangers %q", got)
	}
}

func TestQRCodeIsReadFromTheScreen(t *testing.T) {
	t.Parallel()
	const code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d3-a456-4266554400005204000053039865802BR5913Padaria Feliz6008BRASILIA62070503***63041D3D"
	matrix, err := qrcode.NewQRCodeWriter().Encode(code, gozxing.BarcodeFormat_QR_CODE, 180, 180, nil)
	must(t, err)
	var drawn bytes.Buffer
	must(t, png.Encode(&drawn, image.Image(matrix)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(drawn.Bytes())
	}))
	t.Cleanup(server.Close)
	address := serve(t, `<h1>Pague com PIX</h1><img src="`+server.URL+`"><p>R$ 53,37</p>`)
	page := browsertest.Start(t, browsertest.Window(320, 480))
	browsertest.Run(t, page, chromedp.Navigate(address), browsertest.Wait(`document.images[0].naturalWidth > 0`))
	shot := browsertest.Screenshot(t, page)
	got, err := browsertest.QRText(shot)
	if err != nil || got != code {
		t.Errorf("read %q (%v), want %q", got, err, code)
	}
	browsertest.SaveScreenshot(t, page, filepath.Join(t.TempDir(), "screens", "pix.png"))
	if _, err := browsertest.QRText([]byte("no picture")); err == nil {
		t.Error("something was read from nothing")
	}
}
