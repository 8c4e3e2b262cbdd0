package tunnel

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// mostFrameBytes bounds what is read from somebody who has not proved anything yet.
const mostFrameBytes = 8 << 10

var errFrame = errors.New("not a message of the tunnel")

// writeFrame sends a message: its length in four bytes, then JSON.
func writeFrame(w io.Writer, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if len(text) > mostFrameBytes {
		return fmt.Errorf("%w: too long", errFrame)
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// readFrame reads a message, and not a byte more: what follows is HTTP/2.
func readFrame(r io.Reader, message any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > mostFrameBytes {
		return fmt.Errorf("%w: too long", errFrame)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, message); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	return nil
}
