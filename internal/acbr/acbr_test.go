package acbr

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/receipt"
)

func mustRead(t testing.TB, text string) Document {
	t.Helper()
	d, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// words are the papers as text, each ended by its cut.
func words(t testing.TB, text string) string {
	t.Helper()
	var all strings.Builder
	for _, page := range mustRead(t, text).Pages {
		all.WriteString(page.Plain())
		if page.FullCut {
			all.WriteString("✂\n")
		} else {
			all.WriteString("…\n")
		}
	}
	return strings.TrimSuffix(all.String(), "…\n")
}

func TestHowATextIsRead(t *testing.T) {
	at := func(columns int, text string) string { return strings.Repeat(" ", columns) + text }
	for name, tt := range map[string]struct{ text, want string }{
		"line ends":                       {"a\r\nb\rc\n\nd", "a\nb\nc\n\nd\n"},
		"a mark of the byte order":        {"\ufeffa", "a\n"},
		"nothing but tags":                {"</zera>\na", "\na\n"},
		"case":                            {"<N>a</n><CE>b</cE>", "a" + at(23, "b") + "\n"},
		"no escapes":                      {"&lt;n&gt; &amp;", "&lt;n&gt; &amp;\n"},
		"unknown tags":                    {"<Foo> <Joao@X.com> </Bar>", "<foo> <joao@x.com> </bar>\n"},
		"signs that are no tags":          {"a < b e C > d\n3<4", "a < b e c > d\n3<4\n"},
		"two signs":                       {"<<n>a</n>>", "<a>\n"},
		"a sign at the end":               {"a<n", "a<n\n"},
		"not quite tags":                  {"<n >< n><zera></negrito>", "<n >< n><zera></negrito>\n"},
		"not in the list":                 {"</ff>", "</ff>\n"},
		"an end without its beginning":    {"a</qrcode>b", "a</qrcode>b\n"},
		"a block without end":             {"<ce>a\n<qrcode>b", "a\nb\n"},
		"tags over lines":                 {"<n\n>a", "<n\n>a\n"},
		"raw":                             {"<ignorar_tags><N>a</N></CE><x></ignorar_tags>b", "<N>a</N></CE><x>b\n"},
		"switches need not close":         {"<n><s></c></e>a", "a\n"},
		"codes no printer knows":          {"<msi>12<n>34</n></msi> <std>5</std> <code11>6</code11>", "1234 5 6\n"},
		"settings vanish":                 {"a<barra_largura>3</barra_largura><qrcode_tipo>2</qrcode_tipo><logo_kc1>32</logo_kc1><mp_pos>1,2</mp_pos>b", "ab\n"},
		"hardware nobody has":             {"a</beep></logo></cr><mp>b</mp></mp_imprimir></mp_configurar>c", "abc\n"},
		"left":                            {"<ae>a</ae>b", "a" + at(47, "") + "\nb\n"},
		"the middle":                      {"<ce>MEIO</ce>", at(22, "MEIO\n")},
		"an odd rest":                     {"<ce>abc</ce>|", at(22, "abc") + at(23, "\n|\n")},
		"the right":                       {"<ad>DIR</ad>", at(45, "DIR\n")},
		"styles inside count for nothing": {"<ce><n>AB</n></ce>", at(23, "AB\n")},
		"a block cut":                     {"<ad>" + strings.Repeat("x", 50) + "</ad>", strings.Repeat("x", 48) + "\n"},
		"lines in a block":                {"<ad>a\nb</ad>\nc", at(47, "a\n") + at(47, "b\nc\n")},
		"a block in a block":              {"<ce><ad>b</ad></ce>", at(47, "b\n")},
		"blocks in wide letters":          {"<e><ce>AB</ce></e>", at(11, "AB\n")},
		"wide letters in a block":         {"<ce><e>AB</e></ce>", at(22, "AB\n")},
		"condensed blocks":                {"<c><ad>x</ad></c>", at(63, "x\n")},
		"from here on":                    {"</ce>a\nb</ad>c\n</ad>d", at(23, "a\n") + at(23, "bc\n") + at(47, "d\n")},
		"a style ends, alignment stays":   {"</ad><n>a</fn>b\nc", at(46, "ab\n") + at(47, "c\n")},
		"a reset ends both":               {"</ad><n>a\n</zera>b\n</ad>c\n</reset>d", at(47, "a\nb\n") + at(47, "c\nd\n")},
		"rules":                           {"</linha_simples>\n</linha_dupla>", strings.Repeat("-", 48) + "\n" + strings.Repeat("=", 48) + "\n"},
		"rules of other fonts": {
			"<c></linha_simples></c>\n<e></linha_dupla></e>\n</fb></linha_simples>",
			strings.Repeat("-", 64) + "\n" + strings.Repeat("=", 24) + "\n" + strings.Repeat("-", 48) + "\n",
		},
		"condensed before wide":  {"<c><e></linha_simples>", strings.Repeat("-", 32) + "\n" + strings.Repeat("-", 32) + "\n"},
		"longer than the paper":  {strings.Repeat("a", 50), strings.Repeat("a", 48) + "\naa\n"},
		"blanks over the edge":   {"a" + strings.Repeat(" ", 60), "a\n"},
		"line feeds":             {"a</lf></lf>b", "a\n\nb\n"},
		"room to tear":           {"a</pular_linhas>b</pular_linhas>", "a\n\n\n\n\n\nb\n"},
		"two papers":             {"a\n</corte_parcial>\nb\n</corte_total>\n", "a\n…\nb\n✂\n"},
		"a cut in the line":      {"a</corte>b", "a\n✂\nb\n"},
		"cuts of nothing":        {"</corte>\n</corte>a</corte></corte_total>\n\n", "a\n✂\n"},
		"empty lines alone":      {"\n\n", "\n\n"},
		"settings keep":          {"<qrcode_largura>x</qrcode_largura><qrcode> a</qrcode>", "[QR:  a]\n"},
		"tags in a code":         {"<qrcode>a<n>b</n><X></qrcode>", "[QR: ab<x>]\n"},
		"a code ends the line":   {"a<qrcode>b</qrcode>c", "a\n[QR: b]\nc\n"},
		"a line feed after it":   {"<ean8>1</ean8>\nc", "[|||: 00000017]\n\nc\n"},
		"codes of nothing":       {"a<qrcode></qrcode><code39>é</code39><bmp></bmp><inter></inter>b", "ab\n"},
		"too long for a code":    {"a<qrcode>" + strings.Repeat("x", 3000) + "</qrcode><code128>" + strings.Repeat("1", 256) + "</code128>b", "ab\n"},
		"not for this code":      {"<code128a>abc</code128a>\nd", "abc\nd\n"},
		"pictures from the disk": {"a<bmp>/etc/passwd</bmp><bmp>C:\\logo.bmp</bmp><bmp>logo</bmp>b", "ab\n"},
		"a picture of signs":     {"<bmp>0101010101\n1010101010</bmp>", "[10×2]\n"},
		"too small a picture":    {"<bmp>0101010101</bmp>a<bmp>0101010101\n101</bmp>", "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(trimmed(tt.want), trimmed(words(t, tt.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// trimmed has no blanks at the ends of lines, which nobody sees.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestBarcodesAreCleaned(t *testing.T) {
	for text, want := range map[string]string{
		"<ean13>789-1000.1001039</ean13>":                "7891000100103",
		"<ean13>42</ean13>":                              "0000000000420",
		"<ean8>12345678</ean8>":                          "12345670",
		"<upca>036000291452</upca>":                      "036000291452",
		"<upce>01200000345</upce>":                       "01234505",
		"<code39>Ab-12*c</code39>":                       "A-12*",
		"<code39>*AB-12*</code39>":                       "AB-12",
		"<code93>Ab 12</code93>":                         "Ab 12",
		"<code128>Ab{12}</code128>":                      "Ab{12}",
		"<code128b>{AXYZ{C1234</code128b>":               "XYZ1234",
		"<code128a>ABC</code128a>":                       "ABC",
		"<code128c>12.345</code128c>":                    "012345",
		"<inter>123</inter>":                             "0123",
		"<codabar>x12-3y</codabar>":                      "A12-3A",
		"<codabar>b123d</codabar>":                       "B123D",
		"<code128><n>a</n><c>b</c></code128>":            "ab",
		"<CODE128>Ab</Code128>":                          "Ab",
		"<inter><ignorar_tags>12</ignorar_tags></inter>": "12",
	} {
		want := "[|||: " + want + "]\n"
		if strings.Contains(text, "*c") {
			want = "A-12*\n" // a star in the middle is none of Code 39: its content is printed
		}
		if got := words(t, text); got != want {
			t.Errorf("%s became %q, want %q", text, got, want)
		}
	}
}

func TestDrawers(t *testing.T) {
	for text, want := range map[string][]int{
		"</abre_gaveta>": {1},
		"<abre_gaveta>2</abre_gaveta></abre_gaveta>":    {2, 1},
		"</abre_gaveta></abre_gaveta>":                  {1},
		"<abre_gaveta> 2</abre_gaveta>":                 {2},
		"<abre_gaveta>3</abre_gaveta>a":                 nil,
		"<abre_gaveta>x</abre_gaveta>a":                 nil,
		"<qrcode></abre_gaveta>a</qrcode>":              nil,
		"<abre_gaveta><n>2</n></abre_gaveta></corte>\n": {2},
	} {
		d := mustRead(t, text)
		if diff := cmp.Diff(want, d.Drawers); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if prints := len(d.Pages) > 0; prints == (want != nil) {
			t.Errorf("%s prints %d papers", text, len(d.Pages))
		}
	}
}

func TestWhatIsLeftOutIsTold(t *testing.T) {
	for text, want := range map[string]string{
		"<bmp>/etc/passwd</bmp>":                                                                "Base64",
		"<qrcode>" + strings.Repeat("é", 2000) + "</qrcode>":                                    "QR code",
		"<ean13>1</ean13><upce>1</upce>":                                                        "inválido",
		"<code128>" + strings.Repeat("a", 300) + "</code128>":                                   "255",
		"<bmp>" + strings.Repeat("0", 9_000_000) + "\n" + "</bmp>":                              "0 e 1",
		"<bmp>0000000000\n" + strings.Repeat("0", 5_000_000) + "\n</bmp>":                       "grande",
		strings.Repeat("<bmp>"+strings.Repeat(strings.Repeat("0", 1000)+"\n", 900)+"</bmp>", 9): "grande", // each time it is drawn
	} {
		d := mustRead(t, text)
		if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], want) {
			t.Errorf("%.40s: %q, want %q", text, d.Warnings, want)
		}
	}
	if d := mustRead(t, "<qrcode>a</qrcode><foo></logo>"); d.Warnings != nil {
		t.Errorf("nothing was left out: %q", d.Warnings)
	}
}

func TestTextsThatWouldEmptyTheRoll(t *testing.T) {
	for name, text := range map[string]string{
		"lines":  strings.Repeat("a\n", 20_000),
		"feeds":  strings.Repeat("</lf>", 20_000),
		"papers": strings.Repeat("a</corte>", 101),
		"codes":  strings.Repeat("<ean8>1</ean8>", 20_000),
	} {
		if _, err := Read(text); !errors.Is(err, receipt.ErrTooLong) {
			t.Errorf("%s: %v, want ErrTooLong", name, err)
		}
	}
}

func TestCharsets(t *testing.T) {
	for _, tt := range []struct{ bytes, charset, want string }{
		{"preço", "", "preço"},
		{"pre\xe7o \x80", "", "preço €"},
		{"preço", "utf-8", "preço"},
		{"pre\xe7o", "UTF-8", "preço"}, // it says so, and isn't
		{"pre\xe7o", "windows-1252", "preço"},
		{"preço", "Windows-1252", "preÃ§o"},
		{"pre\x87o", "cp850", "preço"},
		{"pre\x87o", " IBM860 ", "preço"},
		{"pre\xe7o \xa4", "iso-8859-15", "preço €"},
		{"preço", "klingon", "preço"},
	} {
		if got := Decode([]byte(tt.bytes), tt.charset); got != tt.want {
			t.Errorf("%q in %q is %q, want %q", tt.bytes, tt.charset, got, tt.want)
		}
	}
}
