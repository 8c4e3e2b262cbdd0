package receipt

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// What follows writes pieces of files by hand: valid ones that no encoder at hand
// writes, and hostile ones.

// patched is a copy of a file with some bytes replaced.
func patched(file []byte, at int, with ...byte) []byte {
	file = bytes.Clone(file)
	copy(file[at:], with)
	return file
}

// giffed is where a GIF's first frame says its width.
func giffed(file []byte) int {
	colours := 3 << (file[10]&7 + 1)
	if file[10]&0x80 == 0 {
		colours = 0
	}
	at := 13 + colours
	for file[at] == '!' { // an extension: its label and blocks
		for at += 2; file[at] != 0; at += int(file[at]) + 1 {
		}
		at++
	}
	return at + 5
}

// chunk is one of a RIFF file.
func chunk(name string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)%2)...)
}

func webp(chunks ...[]byte) []byte {
	body := slices.Concat(append([][]byte{[]byte("WEBP")}, chunks...)...)
	return slices.Concat(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body)
}

// extended is the header of a WebP with a canvas; the sizes are less one.
func extended(flags byte, width, height uint32) []byte {
	return chunk("VP8X", []byte{
		flags, 0, 0, 0, byte(width), byte(width >> 8), byte(width >> 16),
		byte(height), byte(height >> 8), byte(height >> 16),
	})
}

// onePixel is a lossless WebP's dots: a black one.
func onePixel() []byte {
	return chunk("VP8L", []byte("\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07"))
}

// withChunk puts a chunk behind a PNG's header; a length other than 0 is a lie.
func withChunk(file []byte, name string, body []byte, length uint32) []byte {
	if length == 0 {
		length = uint32(len(body))
	}
	b := binary.BigEndian.AppendUint32(nil, length)
	b = append(append(b, name...), body...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	return slices.Concat(file[:33], b, file[33:])
}

// withSegment puts a segment in front of all others of a JPEG.
func withSegment(file []byte, marker byte, body []byte) []byte {
	s := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))
	return slices.Concat(file[:2], s, body, file[2:])
}

// jpegOf is the beginning of a JPEG of a size.
func jpegOf(width, height uint16) []byte {
	frame := binary.BigEndian.AppendUint16([]byte{8}, height)
	frame = binary.BigEndian.AppendUint16(frame, width)
	return append(withSegment([]byte{0xff, startOfImage}, 0xc0, append(frame, 1, 1, 0x11, 0)), 0xff, startOfScan, 0, 2)
}

// rescanned is a JPEG whose only scan comes again and again.
func rescanned(file []byte, times int) []byte {
	at := bytes.LastIndex(file, []byte{0xff, startOfScan})
	return slices.Concat(file[:at], bytes.Repeat(file[at:len(file)-2], times+1), file[len(file)-2:])
}

// exifOf is EXIF data that says an orientation, in either order of bytes.
func exifOf(order binary.AppendByteOrder, mark string, how, kind uint16) []byte {
	b := order.AppendUint32([]byte(mark), 8)
	b = order.AppendUint16(b, 2)
	for _, entry := range [][2]uint16{{0x0100, 77}, {0x0112, how}} {
		b = order.AppendUint16(b, entry[0])
		b = order.AppendUint16(b, kind)
		b = order.AppendUint32(b, 1)
		if kind == 4 {
			b = order.AppendUint32(b, uint32(entry[1]))
		} else {
			b = order.AppendUint16(order.AppendUint16(b, entry[1]), 0)
		}
	}
	return order.AppendUint32(b, 0)
}
