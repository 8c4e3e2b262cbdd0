package fiscal

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/receipt"
)

// BenchmarkCoupon is an NFC-e of 40 items on its way to the paper, step by step.
func BenchmarkCoupon(b *testing.B) {
	document := couponOf(b, 40)
	data := []byte(document)
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	d := mustParse(b, document)
	b.Run("layout", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Layout(d)
		}
	})
	b.Run("raster", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range Layout(d).Bands(receipt.Paper80) {
			}
		}
	})
	// The yardstick: the standard library, only reading the tokens.
	b.Run("tokens", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			dec := xml.NewDecoder(strings.NewReader(document))
			for {
				if _, err := dec.RawToken(); errors.Is(err, io.EOF) {
					break
				}
			}
		}
	})
}
