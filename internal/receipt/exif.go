package receipt

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// turning is how a picture has to be turned, from its EXIF data. It reads just
// that: one that is missing or makes no sense leaves the picture as it is stored,
// for a print that lies on its side beats none.
func turning(data []byte, format string) orientation {
	switch format {
	case "jpeg":
		for marker, body := range segments(data) {
			if exif, ok := bytes.CutPrefix(body, exifMark); ok && marker == app1 {
				return tiffOrientation(exif)
			}
			if marker == startOfScan {
				break
			}
		}
	case "png":
		for kind, body := range pngChunks(data) {
			if kind == "eXIf" {
				return tiffOrientation(body)
			}
		}
	case "webp":
		for kind, body := range webpChunks(data) {
			if kind == "EXIF" {
				return tiffOrientation(bytes.TrimPrefix(body, exifMark)) // some write the mark of JPEG too
			}
		}
	}
	return asStored
}

var exifMark = []byte("Exif\x00\x00")

// tiffOrientation is the orientation in a block of EXIF data, which is a TIFF file
// without a picture. Only its first directory is looked at: others are those of a
// thumbnail, and following them could go round in circles.
func tiffOrientation(b []byte) orientation {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(b, []byte("II*\x00")):
	case bytes.HasPrefix(b, []byte("MM\x00*")):
		order = binary.BigEndian
	default:
		return asStored
	}
	if len(b) < 8 {
		return asStored
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return asStored
	}
	entries := b[at+2:]
	const tag, short, long, entrySize = 0x0112, 3, 4, 12
	for range order.Uint16(b[at:]) {
		if len(entries) < entrySize {
			break
		}
		if order.Uint16(entries) == tag {
			var value uint32
			switch order.Uint16(entries[2:]) {
			case short:
				value = uint32(order.Uint16(entries[8:]))
			case long: // not as the standard says, yet it is seen
				value = order.Uint32(entries[8:])
			}
			if value >= 1 && value <= 8 {
				return orientation(value)
			}
			return asStored
		}
		entries = entries[entrySize:]
	}
	return asStored
}

// pngChunks are the parts of a PNG, by name, up to one that is cut short.
func pngChunks(data []byte) iter.Seq2[string, []byte] {
	const header, name, checksum = 8, 4, 4
	return func(yield func(string, []byte) bool) {
		for rest := data[min(header, len(data)):]; len(rest) >= 4+name; {
			body, kind := uint64(binary.BigEndian.Uint32(rest)), string(rest[4:4+name])
			rest = rest[4+name:]
			if body+checksum > uint64(len(rest)) || !yield(kind, rest[:body]) {
				return
			}
			rest = rest[body+checksum:]
		}
	}
}

// webpChunks are those of a WebP; of one that is cut short, what there is.
func webpChunks(data []byte) iter.Seq2[string, []byte] {
	const header, name = 12, 4
	return func(yield func(string, []byte) bool) {
		for rest := data[min(header, len(data)):]; len(rest) >= name+4; {
			kind, body := string(rest[:name]), uint64(binary.LittleEndian.Uint32(rest[name:]))
			rest = rest[name+4:]
			if !yield(kind, rest[:min(body, uint64(len(rest)))]) {
				return
			}
			rest = rest[min(body+body%2, uint64(len(rest))):]
		}
	}
}

// Markers of a JPEG.
const (
	baseline     = 0xc0
	extendedJPEG = 0xc1
	progressive  = 0xc2
	startOfImage = 0xd8
	endOfImage   = 0xd9
	startOfScan  = 0xda
	firstRestart = 0xd0
	lastRestart  = 0xd7
	temporary    = 0x01
	app1         = 0xe1
)

// segments are a JPEG's markers, each with the bytes that belong to it; the dots
// after a scan's header are passed over.
func segments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for rest := data; ; {
			i := bytes.IndexByte(rest, 0xff)
			if i < 0 || i+1 >= len(rest) {
				return
			}
			marker := rest[i+1]
			switch {
			case marker == 0xff: // padding: the next byte may be the marker
				rest = rest[i+1:]
				continue
			case marker == 0, marker == temporary, marker == startOfImage,
				marker >= firstRestart && marker <= lastRestart:
				rest = rest[i+2:]
				continue
			case marker == endOfImage:
				return
			}
			rest = rest[i+2:]
			if len(rest) < 2 {
				return
			}
			length := int(binary.BigEndian.Uint16(rest))
			if length < 2 || length > len(rest) {
				return
			}
			if !yield(marker, rest[2:length]) {
				return
			}
			rest = rest[length:]
		}
	}
}

// scans counts how often a JPEG goes over its pixels.
func scans(data []byte) (n int) {
	for marker := range segments(data) {
		if marker == startOfScan {
			n++
		}
	}
	return n
}
