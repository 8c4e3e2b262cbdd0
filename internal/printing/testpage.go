package printing

import (
	"fmt"
	"image"
	"image/color"
	"time"

	"github.com/maquininha/maquininha/internal/receipt"
)

// TestPage shows on paper whether a printer is set as it is: its language, by being readable at all; its width, by the two ends of the
// ruler; accents, codes and the knife.
func TestPage(where, model string, paper receipt.Paper, now time.Time) Job {
	var p receipt.Page
	p.Add(
		receipt.Text{Value: "Página de teste", Size: 14, Bold: true, Align: receipt.Center},
		receipt.Text{Value: now.Format("02/01/2006 15:04:05"), Size: slipSize, Align: receipt.Center},
		receipt.Rule{},
		receipt.Text{Value: "Impressora: " + where, Size: slipSize},
		receipt.Text{Value: "Modelo: " + model, Size: slipSize},
		receipt.Text{Value: fmt.Sprintf("Papel: %d pontos, %d por polegada", paper.Width, paper.DPI), Size: slipSize},
		receipt.Blank{Size: slipSize},
		receipt.Image{Picture: ruler(paper), Exact: true},
		receipt.Text{Value: "A régua tem uma barra em cada ponta. Se a da direita não saiu, o papel é mais estreito do que o configurado; se sobra papel, é mais largo. Os traços estão a 1 cm um do outro.", Size: slipSize},
		receipt.Blank{Size: slipSize},
		receipt.Pair{Left: "Pão de queijo, açaí, maçã", Right: "R$ 12,34", Size: slipSize},
		receipt.Text{Value: "ÁÀÂÃÇÉÊÍÓÔÕÚÜ áàâãçéêíóôõúü 0123456789", Size: slipSize},
		receipt.Blank{Size: slipSize},
		receipt.QR{Text: "maquininha: página de teste " + now.Format("2006-01-02 15:04:05")},
		receipt.Blank{Size: slipSize},
		receipt.Barcode{Text: "1234567890"},
		receipt.Rule{Dashed: true},
		receipt.Text{Value: "Abaixo daqui o papel deve ser cortado, sem passar por esta linha.", Size: slipSize},
	)
	job := OnePage(Text, p)
	job.Name = "página de teste"
	return job
}

// ruler is as wide as the paper: a bar at each end, a line between them, and a mark a centimetre.
func ruler(paper receipt.Paper) image.Image {
	const height, bar = 32, 8
	picture := image.NewGray(image.Rect(0, 0, paper.Width, height))
	dpi := paper.DPI
	if dpi <= 0 {
		dpi = receipt.Paper80.DPI
	}
	for x := range paper.Width {
		for y := range height {
			mark := x*254/(dpi*100) != (x+1)*254/(dpi*100) && y >= height/4 // crosses a centimetre
			if x >= bar && x < paper.Width-bar && !mark && y < height-2 {
				picture.SetGray(x, y, color.Gray{Y: 255})
			}
		}
	}
	return picture
}
