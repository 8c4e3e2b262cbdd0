package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

const pictureGoal = 1.3

// measurePictures asks what a photograph costs beyond its decoding, which nobody can do without.
//
// Both sides run in this process, where nothing but they differs: the print is the path of /print/image from the
// body's bytes to the last band of dots, the other is the standard library's decoder alone.
func (b *bench) measurePictures() ([]figures.Row, error) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photograph(4000, 3000), &jpeg.Options{Quality: 90}); err != nil {
		return nil, err
	}
	data := file.Bytes()
	// Turns of one print each: the machine is the same for two that follow each other at once.
	found, err := figures.Duel(b.ctx, 3*b.rounds,
		rateOf(1, func() error { return printPhotograph(data) }),
		rateOf(1, func() error {
			_, err := jpeg.Decode(bytes.NewReader(data))
			return err
		}))
	if err != nil {
		return nil, err
	}
	cost := 1 / found.Ratio // of times, not of rates
	return []figures.Row{{
		Measure: "4000×3000 JPEG to 576 dots", Value: figures.Milliseconds(found.First), Against: "decoding alone: " + figures.Milliseconds(found.Second),
		Ratio: cost, Goal: figures.AtMost(pictureGoal), OK: cost <= pictureGoal,
	}}, nil
}

// printPhotograph renders as a printer would take it: band after band, none kept.
func printPhotograph(data []byte) error {
	picture, err := receipt.DecodeImage(data)
	if err != nil {
		return err
	}
	page := receipt.Page{Elements: []receipt.Element{receipt.Image{Picture: picture}}}
	dots := 0
	for band := range page.Bands(receipt.Paper80) {
		dots += band.Height
	}
	if dots != 432 {
		return fmt.Errorf("the photograph came out %d dots high, not 432", dots)
	}
	return nil
}

// photograph has what makes a JPEG of a camera slow to decode: soft shades, edges, and grain everywhere.
func photograph(width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	grain := rand.New(rand.NewPCG(1, 2))
	for y := range height {
		for x := range width {
			across, down := float64(x)/float64(width), float64(y)/float64(height)
			light := 110 + 70*math.Sin(5*across+3*down) + 40*math.Cos(9*down)
			if math.Hypot(across-0.5, down-0.5) < 0.2 {
				light = 220 - light/2
			}
			light += grain.NormFloat64() * 6
			shade := func(v float64) uint8 { return uint8(min(max(v, 0), 255)) }
			m.SetRGBA(x, y, color.RGBA{R: shade(light + 20*across), G: shade(light), B: shade(light - 30*down), A: 0xff})
		}
	}
	return m
}
