package fiscal

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/receipt"
)

// FuzzParse checks that whatever comes is refused with a reason or printed whole.
func FuzzParse(f *testing.F) {
	for _, document := range documents(f) {
		f.Add([]byte(document))
	}
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><nfeProc>&b;</nfeProc>`))
	f.Add([]byte("\ufeff \n<enviNFe/>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse(data)
		if err == nil {
			page := Layout(d)
			page.Plain()
			for range page.Bands(receipt.Paper58) {
				break
			}
			return
		}
		var refusal *Refusal
		if !errors.As(err, &refusal) {
			t.Fatalf("%v is no refusal", err)
		}
		if reason := refusal.Error(); strings.ContainsAny(reason, "\r\n") || len(reason) > 400 || !utf8.ValidString(reason) {
			t.Errorf("a reason not fit for a header: %q", reason)
		}
	})
}

// FuzzScan holds the reader of XML against the standard library's, which is slower
// and known to be right: both must accept the same documents and see the same in them.
func FuzzScan(f *testing.F) {
	for _, document := range documents(f) {
		_, document, _ = strings.Cut(document, "?>")
		f.Add(strings.ReplaceAll(document, ":", "."))
	}
	for _, piece := range []string{
		"<a/>", "<a b='c' d = \"&lt;\"/>", "<a>x<!-- y -->z<![CDATA[<&]]>&#x41;</a>", "<a><b/><b>1</b></a>", "<?x y?><a></a >",
		"<a>]]></a>", "<a><!----></a>", "<a>&#0;</a>", "<a b=c/>", "<a b='<'/>", "<p:a xmlns:p='u'></p:a>", "<a><imposto>t</imposto></a>",
	} {
		f.Add(piece)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || beyond(src) {
			return
		}
		root, err := scan(src)
		want, wantErr := standard(src)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: got %v, the standard library %v", src, err, wantErr)
		}
		if err != nil {
			return
		}
		if got := flat(nil, root); !slices.Equal(got, want) {
			t.Errorf("%q:\ngot  %q\nwant %q", src, got, want)
		}
	})
}

// beyond tells documents on which the two may differ: declarations, which are not
// the scanner's to read; line ends of other systems, which only the library turns
// into our own; and names beyond ASCII or with colons, which it looks at closer.
func beyond(src string) bool {
	return strings.Contains(src, "<?") || strings.Contains(src, "\r") || oddNames.MatchString(src)
}

var oddNames = regexp.MustCompile("<[^>]*[:\u0080-\U0010ffff]")

// standard is every element's name and text, in the order in which they begin.
func standard(src string) (flat []string, err error) {
	dec := xml.NewDecoder(strings.NewReader(src))
	type open struct {
		index   int
		skipped bool
	}
	var stack []open
	elements := 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			if elements == 0 {
				return nil, errors.New("no root")
			}
			for i, text := range flat {
				name, text, _ := strings.Cut(text, "=")
				flat[i] = name + "=" + strings.TrimSpace(text)
			}
			return flat, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.Directive:
			return nil, errors.New("a directive")
		case xml.StartElement:
			elements++
			if repeats(token.Attr) {
				return nil, errors.New("an attribute twice, or too many")
			}
			if len(stack) == 0 && elements > 1 || len(stack) >= maxDepth {
				return nil, errors.New("two roots, or too deep")
			}
			skipped := len(stack) > 0 && (stack[len(stack)-1].skipped || passedOver[token.Name.Local])
			stack = append(stack, open{len(flat), skipped})
			if !skipped {
				flat = append(flat, token.Name.Local+"=")
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) == 0 {
				if strings.Trim(string(token), blank) != "" {
					return nil, errors.New("text outside the root")
				}
			} else if top := stack[len(stack)-1]; !top.skipped {
				flat[top.index] += string(token)
			}
		}
	}
}

// repeats tells what the library lets pass.
func repeats(attributes []xml.Attr) bool {
	seen := map[xml.Name]bool{}
	for _, a := range attributes {
		seen[a.Name] = true
	}
	return len(seen) < len(attributes) || len(attributes) > maxAttributes
}

func flat(list []string, e *element) []string {
	list = append(list, e.name+"="+e.text)
	for child := e.first; child != nil; child = child.next {
		list = flat(list, child)
	}
	return list
}
