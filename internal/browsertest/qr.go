package browsertest

import (
	"bytes"
	"fmt"
	"image/png"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// QRText reads the QR code in a screenshot, as a phone's camera would.
func QRText(picture []byte) (string, error) {
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return "", fmt.Errorf("reading the picture: %w", err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(img)
	if err != nil {
		return "", fmt.Errorf("reading the picture: %w", err)
	}
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{
		gozxing.DecodeHintType_TRY_HARDER: true, gozxing.DecodeHintType_CHARACTER_SET: "UTF-8",
	})
	if err != nil {
		return "", fmt.Errorf("looking for a QR code: %w", err)
	}
	return result.GetText(), nil
}
