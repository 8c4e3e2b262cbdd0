package receipt

// Paper is the roll in the printer.
type Paper struct {
	Width int // of the printed part, in dots
	DPI   int // dots an inch; zero is 203, the resolution of nearly every receipt printer
}

// The rolls that most shops have.
var (
	Paper58 = Paper{Width: 384, DPI: usualDPI}
	Paper80 = Paper{Width: 576, DPI: usualDPI}
)

// usualDPI is 8 dots a millimetre.
const usualDPI = 203

// wide tells rolls of 80 mm from those of 58, whose printed parts are 72 and 48.
func (p Paper) wide() bool { return p.Width*254 >= 600*p.dpi() }

func (p Paper) dpi() int {
	if p.DPI <= 0 {
		return usualDPI
	}
	return p.DPI
}

// dots is how many dots make at least so many tenths of a millimetre: what must
// not be smaller than said is not smaller by a fraction of a dot either.
func (p Paper) dots(tenths int) int { return (tenths*p.dpi() + 253) / 254 }
