package receipt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/math/fixed"
)

func TestColumnsInPlainForm(t *testing.T) {
	tests := []struct {
		name  string
		cells []Cell
		want  []string
	}{
		{"by weight", []Cell{{Value: "a", Weight: 1}, {Value: "b", Weight: 1}}, []string{"a                        b"}},
		{
			"a cell as wide as its content",
			[]Cell{{Value: "Código 42"}, {Value: "tudo o que sobra da linha é desta célula, que quebra", Weight: 1}, {Value: "9,99", Align: Right}},
			[]string{"Código 42 tudo o que sobra da linha é desta 9,99", "          célula, que quebra"},
		},
		{"right", []Cell{{Value: "a", Weight: 1, Align: Right}, {Value: "b", Weight: 1, Align: Right}}, []string{strings.Repeat(" ", 23) + "a" + strings.Repeat(" ", 23) + "b"}},
		{"a sum is not broken", []Cell{{Value: "nome do produto", Weight: 20}, {Value: "1.234.567,89", Weight: 1}}, []string{"nome do produto                     1.234.567,89"}},
		{"one longer than the paper", []Cell{{Value: strings.Repeat("9", 50)}}, []string{strings.Repeat("9", 48), "99"}},
		{"an empty cell", []Cell{{Weight: 1}, {Value: "b", Weight: 1}}, []string{"                         b"}},
		{"no cells", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := ""
			for _, line := range tt.want {
				want += line + "\n"
			}
			if diff := cmp.Diff(want, Page{Elements: []Element{Columns{Cells: tt.cells}}}.Plain()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestColumnsStayOnThePaper(t *testing.T) {
	long := strings.Repeat("comprido ", 9)
	for _, cells := range [][]Cell{
		{{Value: long}, {Value: long}, {Value: long}},
		{{Value: long}, {Value: long, Weight: 1}, {Value: long, Weight: 3}},
		{{Value: strings.Repeat("9", 99), Weight: 1}, {Value: strings.Repeat("9", 99), Weight: 2}},
		{{Value: strings.Repeat("9", 99)}, {Value: "1", Weight: 1}},
	} {
		for _, room := range []int{0, 1, 40, 376, 568} {
			measure := ruler(newTypeCase(Paper58).face(8, false).step)
			for _, c := range lay(cells, same(measure), fixed.I(room), fixed.I(gap)) {
				if room > 40 && (c.left+c.width > fixed.I(room) || c.width <= 0) {
					t.Errorf("a column from %v to %v in a room of %d", c.left, c.left+c.width, room)
				}
				for _, line := range c.lines {
					if room > 40 && measure.width(line) > c.width {
						t.Errorf("%q is wider than its cell", line)
					}
				}
			}
		}
	}
}

func TestLinesInTheMiddleAreAlike(t *testing.T) {
	got := ruler(oneColumn).balance("3526 1114 2001 6600 0187 6500 1000 0000 0711 2345 6789\numa só", fixed.I(26))
	want := []string{"3526 1114 2001 6600", "0187 6500 1000 0000", "0711 2345 6789", "uma só"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A word that fits is not broken for the sake of balance.
	got = ruler(oneColumn).balance("CNPJ\u00a005.481.336/0001-37 IE 687138770110", fixed.I(26))
	if diff := cmp.Diff([]string{"CNPJ\u00a005.481.336/0001-37", "IE 687138770110"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRules(t *testing.T) {
	for _, width := range []int{1, 9, 384, 576} {
		for _, dashed := range []bool{false, true} {
			b, err := Page{Elements: []Element{Rule{Dashed: dashed}}}.Raster(Paper{Width: width})
			if err != nil {
				t.Fatal(err)
			}
			left, right := inked(b)
			if width > 100 && (abs(left-(width-1-right)) > 1 || left > margin+dash) {
				t.Errorf("width %d, dashed %v: from %d to %d", width, dashed, left, right)
			}
		}
	}
}
