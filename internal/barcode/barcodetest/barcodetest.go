// Package barcodetest reads codes back from pictures with somebody else's program, as a scanner does, for the tests of all who draw
// them.
package barcodetest

import (
	"image"
	"testing"

	"github.com/makiuchi-d/gozxing"
)

// Read is what a scanner finds on a picture; a test in which it finds nothing has failed. Hints are those of the reader that are to be
// true.
func Read(t testing.TB, picture image.Image, with gozxing.Reader, hints ...gozxing.DecodeHintType) string {
	t.Helper()
	dots, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	all := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}
	for _, hint := range hints {
		all[hint] = true
	}
	result, err := with.Decode(dots, all)
	if err != nil {
		t.Fatalf("the code is not read: %v", err)
	}
	return result.GetText()
}
