package app_test

import (
	"bytes"
	"image"
	"image/png"
	"runtime/debug"
	"testing"
)

// Not beside others: the limit is the whole process's.
func TestPicturesOnTheDisplayComeOnTopOfTheMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	c := config(t.TempDir())
	c.MemoryLimit = 1 << 30
	term := start(t, c)
	var picture bytes.Buffer
	must(t, png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 100, 100))))
	term.ok(t, "POST", "/display/image", picture.String())
	if limit := debug.SetMemoryLimit(-1); limit < 1<<30+int64(picture.Len()) {
		t.Errorf("%d with a picture of %d bytes", limit, picture.Len())
	}
	term.ok(t, "POST", "/display/clear", "")
	if limit := debug.SetMemoryLimit(-1); limit != 1<<30 {
		t.Errorf("%d with an empty display", limit)
	}
}
