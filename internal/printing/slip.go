package printing

import (
	"regexp"
	"strings"

	"github.com/maquininha/maquininha/internal/receipt"
)

// An acquirer writes its receipts for a font whose signs are all of one width. Spaces say what the paper should look
// like: before a line that it stands in the middle, inside it that there is a value at the right.
var (
	slipRule = regexp.MustCompile(`^[-=_*.]{8,}$`)
	slipPair = regexp.MustCompile(`^(\S.*?) {3,}(\S+(?: \S+)*)$`)
)

// The letters of a slip, in points: its lines are long.
const (
	shopSize   = 12
	slipSize   = 9
	narrowSize = 8
)

// SlipPage is the page of one copy of an acquirer's receipt, under the shop's name if it has one.
func SlipPage(shop, text string) receipt.Page {
	var p receipt.Page
	if shop = strings.TrimSpace(shop); shop != "" {
		p.Add(receipt.Text{Value: shop, Size: shopSize, Bold: true, Align: receipt.Center}, receipt.Blank{Size: slipSize})
	}
	lines := slipLines(text)
	p.Add(receipt.Either{Wide: slipElements(lines, slipSize), Narrow: slipElements(lines, narrowSize)})
	p.Add(receipt.Blank{Size: slipSize}, receipt.Rule{Dashed: true}, receipt.Blank{Size: slipSize})
	return p
}

// slipLines are the lines of the text without the empty ones around them.
func slipLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n", "\t", "    ").Replace(text)
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Split(strings.Trim(strings.Join(lines, "\n"), "\n"), "\n")
}

func slipElements(lines []string, size int) (elements []receipt.Element) {
	for _, line := range lines {
		words := strings.TrimLeft(line, " ")
		pair := slipPair.FindStringSubmatch(words)
		switch {
		case words == "":
			elements = append(elements, receipt.Blank{Size: size})
		case slipRule.MatchString(words):
			elements = append(elements, receipt.Rule{Dashed: true})
		case pair != nil:
			elements = append(elements, receipt.Pair{Left: pair[1], Right: pair[2], Size: size})
		case len(line)-len(words) >= 2:
			elements = append(elements, receipt.Text{Value: words, Size: size, Align: receipt.Center})
		default:
			elements = append(elements, receipt.Text{Value: words, Size: size})
		}
	}
	return elements
}
