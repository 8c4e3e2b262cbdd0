package escpos

import (
	"slices"
	"strings"
	"unicode"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Model is a printer that can be bought, or a family of them that are driven alike.
type Model struct {
	Name    string // as --printer-model has it
	Title   string // for people of any language
	Dialect Dialect
	Paper   receipt.Paper // what it prints on, unless told otherwise
	Labels  bool          // prints labels: no dialect of ours fits
	Family  bool          // many are driven alike, on papers of either width

	words []string // any of them in what a printer says of itself, letters and digits only
	usb   []string // vendor:product
}

var (
	paper80 = receipt.Paper80
	paper58 = receipt.Paper58
	tm88    = receipt.Paper{Width: 512, DPI: 180}
)

// Models are all of them. Of several that fit what a printer says of itself the first counts.
var Models = []Model{
	{Name: "tm-t88", Title: "Epson TM-T88, TM-T70", Dialect: ESCPOS, Paper: tm88, words: []string{"tmt88", "tmt70"}, usb: []string{"04b8:0e21"}},
	{Name: "tm-t20", Title: "Epson TM-T20, TM-m30, TM-L90", Dialect: ESCPOS, Paper: paper80, words: []string{"tmt20", "tmm30", "tml90"}, usb: []string{"04b8:0e03", "04b8:0e15", "04b8:0e27", "04b8:0e28", "04b8:0e32"}},
	{Name: "mp-2800", Title: "Bematech MP-2800 TH", Dialect: ESCPOS, Paper: paper80, words: []string{"mp2800"}, usb: []string{"0b1b:0007"}},
	{Name: "mp-5100", Title: "Bematech MP-5100 TH", Dialect: Bema, Paper: paper80, words: []string{"mp5100"}, usb: []string{"0b1b:0006"}},
	{Name: "mp-4200", Title: "Bematech MP-4200, MP-4000, MP-2500 TH", Dialect: Bematech, Paper: paper80, words: []string{"mp4200", "mp4000", "mp2500"}, usb: []string{"0b1b:0003"}},
	{Name: "daruma", Title: "Daruma DR600, DR700, DR800", Dialect: Daruma, Paper: paper80, words: []string{"daruma", "dr600", "dr700", "dr800"}, usb: []string{"23b8:0005"}},
	{Name: "elgin-l42", Title: "Elgin L42", Labels: true, words: []string{"elginl42"}, usb: []string{"154f:1000", "20d1:0700"}},
	{Name: "elgin", Title: "Elgin i7, i8, i9", Dialect: Elgin, Paper: paper80, words: []string{"elgini7", "elgini8", "elgini9"}, usb: []string{"20d1:7007", "20d1:7008"}},
	{Name: "sweda", Title: "Sweda SI-300", Dialect: ESCPOS, Paper: paper80, words: []string{"sweda"}, usb: []string{"1c8a:3001", "1c8a:3002"}},
	{Name: "control-id", Title: "Control iD Print iD", Dialect: ESCPOS, Paper: paper80, words: []string{"controlid", "printid"}, usb: []string{"3036:0001"}},
	{Name: "custom", Title: "Custom Q3X, K3, Kube (Nitere)", Dialect: Column, Paper: paper80, words: []string{"q3x", "customk3", "kube"}, usb: []string{"0dd4:018e", "0dd4:818e"}},
	{Name: "datecs", Title: "Datecs DPP", Dialect: Column, Paper: paper80, words: []string{"datecs"}},
	{Name: "wincor", Title: "Wincor TH230", Dialect: Column, Paper: paper80, words: []string{"th230"}},
	{Name: "tanca", Title: "Tanca TP-550, TP-650", Dialect: ESCPOS, Paper: paper80, words: []string{"tp550", "tp650"}},
	{Name: "jetway", Title: "Jetway JP-880", Dialect: ESCPOS, Paper: paper80, words: []string{"jetway"}},
	{Name: "diebold", Title: "Diebold, Tecpoint IM402, IM433, IM453", Dialect: ESCPOS, Paper: paper80, words: []string{"diebold", "tecpoint", "im402", "im433", "im453"}},
	{Name: "tsp143mu", Title: "Diebold TSP143MU", Dialect: Direct, Paper: paper80, words: []string{"tsp143mu"}},
	{Name: "dimep", Title: "Dimep D-Print", Dialect: ESCPOS, Paper: paper80, words: []string{"dimep"}, usb: []string{"1cbe:0002"}},
	{Name: "gertec", Title: "Gertec G250", Dialect: ESCPOS, Paper: paper80, words: []string{"gertecg250"}, usb: []string{"1753:0b00"}},
	{Name: "sunmi-v2", Title: "Sunmi V2", Dialect: ESCPOS, Paper: paper58, words: []string{"sunmiv2"}},
	{Name: "sunmi", Title: "Sunmi NT", Dialect: ESCPOS, Paper: paper80, words: []string{"sunmi"}, usb: []string{"324f:00d2", "154f:1300"}},
	{Name: "pos-58", Title: "POS-58 (58 mm)", Dialect: ESCPOS, Paper: paper58, words: []string{"pos58", "zj58", "nt58"}},
	{Name: "pos-80", Title: "POS-80 (80 mm)", Dialect: ESCPOS, Paper: paper80, words: []string{"pos80", "zj80", "nt80", "rp326", "p822d"}},

	// Families, for what is not above; by these a printer is known only where it says no more.
	{Name: "bematech", Title: "Bematech (ESC/POS)", Dialect: Bematech, Paper: paper80, Family: true, words: []string{"bematech"}},
	{Name: "bema", Title: "Bematech (ESC/Bema)", Dialect: Bema, Paper: paper80, Family: true},
	{Name: "epson", Title: "Epson", Dialect: ESCPOS, Paper: paper80, Family: true, words: []string{"epsontm"}, usb: []string{"04b8:0202"}},
	{Name: "escpos", Title: "ESC/POS", Dialect: ESCPOS, Paper: paper80, Family: true},
	{Name: "escpos-esc-m", Title: "ESC/POS (ESC m)", Dialect: Direct, Paper: paper80, Family: true},
	{Name: "escpos-weak", Title: "ESC/POS (Bluetooth)", Dialect: Weak, Paper: paper80, Family: true},
	{Name: "column", Title: "ESC/POS (ESC *)", Dialect: Column, Paper: paper80, Family: true},
	{Name: "zebra", Title: "Zebra", Labels: true, words: []string{"zebra", "zpl"}},
	{Name: "tanca-tlp", Title: "Tanca TLP", Labels: true, words: []string{"tancatlp", "tlp300"}},
}

// labelVendors make nothing but printers of labels.
var labelVendors = []string{"2d84:", "0a5f:"}

// ModelNamed is a model by its name, or by a name that people would write: TM-T88V, Elgin i9.
func ModelNamed(name string) (Model, bool) {
	if i := slices.IndexFunc(Models, func(m Model) bool { return plain(m.Name) == plain(name) }); i >= 0 {
		return Models[i], true
	}
	return Recognise(Identity{Text: name})
}

// Identity is what a printer, or a queue, says of what it is.
type Identity struct {
	USB  string // vendor:product
	Text string // maker, model, driver or name
}

// Recognise finds the model. What says too little is no model: a wrong guess prints characters by the metre.
func Recognise(id Identity) (Model, bool) {
	if i := slices.IndexFunc(Models, func(m Model) bool { return id.USB != "" && slices.Contains(m.usb, strings.ToLower(id.USB)) }); i >= 0 {
		return Models[i], true
	}
	for _, vendor := range labelVendors {
		if strings.HasPrefix(strings.ToLower(id.USB), vendor) {
			return Model{Name: "labels", Title: "USB", Labels: true}, true
		}
	}
	said := plain(id.Text)
	i := slices.IndexFunc(Models, func(m Model) bool {
		return slices.ContainsFunc(m.words, func(word string) bool { return strings.Contains(said, word) })
	})
	if i < 0 {
		return Model{}, false
	}
	return Models[i], true
}

// plain is a text without what people write in one way or the other.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
