package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A format that only these tests know, to see its decoder at work. A picture that says "held" is decoded until it is
// let go.
const slowPicture = "slow picture"

var slow struct {
	inside, most, all atomic.Int32
	held, letGo       chan struct{}
}

func init() {
	slow.held, slow.letGo = make(chan struct{}), make(chan struct{})
	config := func(io.Reader) (image.Config, error) {
		return image.Config{ColorModel: color.GrayModel, Width: 8, Height: 8}, nil
	}
	receipt.RegisterFormat("slow", slowPicture, func(r io.Reader) (image.Image, error) {
		now := slow.inside.Add(1)
		defer slow.inside.Add(-1)
		slow.all.Add(1)
		for most := slow.most.Load(); now > most && !slow.most.CompareAndSwap(most, now); {
			most = slow.most.Load()
		}
		if text, _ := io.ReadAll(r); bytes.Contains(text, []byte("held")) {
			slow.held <- struct{}{}
			<-slow.letGo
		} else {
			time.Sleep(20 * time.Millisecond) // long enough for another to come in, were it let
		}
		return image.NewGray(image.Rect(0, 0, 8, 8)), nil
	}, config)
}

// However many pictures come at once, by whatever way, one at a time takes memory.
func TestPicturesAreDecodedOneAtATime(t *testing.T) {
	m := start(t)
	before := slow.all.Load()
	coded := base64.StdEncoding.EncodeToString([]byte(slowPicture))
	carousel := fmt.Sprintf(`{"backgroundColor":"#fff","images":["%s","%s"]}`, coded, coded)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if a := m.unchecked("POST", "/display/image", []byte(slowPicture)); a.status != http.StatusOK {
				t.Errorf("an image: %d %s", a.status, a.body)
			}
		})
		all.Go(func() {
			if a := m.unchecked("POST", "/display/carousel", carousel); a.status != http.StatusOK {
				t.Errorf("a carousel: %d %s", a.status, a.body)
			}
		})
	}
	m.othersAreServed("while pictures are decoded")
	all.Wait()
	if decoded := slow.all.Load() - before; decoded != 6+2*6 {
		t.Errorf("%d pictures were decoded", decoded)
	}
	for range 6 { // while one prints, the others are refused
		for _, path := range []string{"/print/image", "/display/image"} {
			all.Go(func() {
				if a := m.unchecked("POST", path, []byte(slowPicture)); a.status != http.StatusOK && a.json()["message"] != isBusy {
					t.Errorf("%s: %d %s", path, a.status, a.body)
				}
			})
		}
	}
	all.Wait()
	if most := slow.most.Load(); most != 1 {
		t.Errorf("%d pictures were decoded at once", most)
	}
}

// Who waits for others' pictures may hang up, and a service that stops answers.
func TestWaitingForAPictureEnds(t *testing.T) {
	m := start(t)
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { m.unchecked("POST", "/display/image", []byte(slowPicture+" held")) })
	<-slow.held
	letGo := sync.OnceFunc(func() { slow.letGo <- struct{}{} })
	defer letGo()

	leaving := m.knock(asks("POST", "/display/image", fmt.Sprintf("Content-Length: %d", len(slowPicture))) + slowPicture)
	m.awaitScreen("the second picture has come", func(s screenView) bool { return len(s.Notifications) == 2 })
	leaving.Close()
	waittest.Until(t, "it is known that the caller has hung up", func() bool {
		return strings.Contains(string(m.unchecked("GET", "/logs?search=499", nil).body), "/display/image 499")
	})

	all.Go(func() {
		if a := m.unchecked("POST", "/display/image", []byte(slowPicture)); a.status != http.StatusServiceUnavailable || !strings.Contains(string(a.body), "encerrando") {
			t.Errorf("who waits when the service stops gets %d %s", a.status, a.body)
		}
		letGo()
	})
	m.awaitScreen("the third picture has come", func(s screenView) bool { return len(s.Notifications) == 3 })
	m.stop()
}
