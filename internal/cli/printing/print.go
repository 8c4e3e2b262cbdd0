// Package printing is the command that prints files as the service would, without it, or shows how they would look.
package printing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acbr"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/cli/paper"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Command is maquininha print. It tries layouts: files as the service would print them, without the service.
type Command struct {
	Files       []string `arg:"" name:"arquivo" missing:"informe ao menos um arquivo" help:"Imagens, XML fiscais, instruções de /print/text em JSON ou textos com tags ACBr (.acbr)."`
	To          string   `placeholder:"FORMA" help:"png (padrão), pdf, escpos (os bytes da impressora) ou printer (a de --printer; padrão quando ela é dada)."`
	Out         string   `placeholder:"CAMINHO" help:"Arquivo ou pasta do resultado, - para a saída padrão; sem ele, ao lado de cada arquivo, como cupom.xml.png."`
	ACBr        bool     `name:"acbr" help:"Lê os arquivos como texto com tags ACBr, qualquer que seja o nome."`
	paper.Flags `embed:""`

	options.Coupon `embed:""`
}

// Validate refuses what can't be meant; kong calls it.
func (p Command) Validate() error {
	if err := cmp.Or(p.Check(), commandline.OneOf("to", p.form(), forms...)); err != nil {
		return err
	}
	if p.form() == toPrinter {
		if err := settings.Lacking(p.Address(), p.CheckPrinter()); err != nil {
			return err
		}
		if p.Out != "" {
			return errors.New("--out não vale com uma impressora")
		}
	}
	if len(p.Files) > 1 && p.Out != "" && !isFolder(p.Out) {
		return errors.New("com vários arquivos, --out deve ser uma pasta que existe")
	}
	return nil
}

const toPrinter = "printer"

var forms = []string{"png", "pdf", "escpos", toPrinter}

// form is what the files become.
func (p Command) form() string {
	if p.To == "" && p.Printer != "" {
		return toPrinter
	}
	return cmp.Or(p.To, forms[0])
}

// Run does all it can: one bad file does not keep the others from printing.
func (p Command) Run(ctx context.Context) error {
	style, err := p.Coupon.Configured().Style()
	if err != nil {
		return err
	}
	failed := 0
	for _, file := range p.Files {
		where, err := p.one(ctx, file, style)
		if err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "maquininha: %s: %s\n", file, whyNot(err))
		} else if where != "" {
			fmt.Println(where)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if failed > 0 {
		return commandline.ErrSaid
	}
	return nil
}

func (p Command) one(ctx context.Context, file string, style fiscal.Style) (where string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	job, err := p.readJob(file, data, style)
	if err != nil {
		return "", err
	}
	if p.form() == toPrinter {
		return "", p.Print(ctx, job)
	}
	results, err := p.render(job)
	if err != nil {
		return "", err
	}
	if p.Out == "-" {
		if len(results) > 1 {
			return "", errSeveral
		}
		_, err := os.Stdout.Write(slices.Concat(results...))
		return "", err
	}
	var written []string
	for i, out := range results {
		where := numbered(p.target(file), i+1)
		if output.Same(file, where) {
			return "", errItself
		}
		if err := os.WriteFile(where, out, 0o644); err != nil {
			return "", &output.Error{Path: where, Err: err}
		}
		written = append(written, where)
	}
	return strings.Join(written, "\n"), nil
}

// numbered is the name of the nth paper's file: the first has the plain one.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	extension := filepath.Ext(path)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, extension), n, extension)
}

// errItself means a print that would take the place of what it was made from.
var errItself = errors.New("o resultado não pode tomar o lugar do próprio arquivo; escolha outro --out")

// errSeveral means pictures that can't follow each other in one stream.
var errSeveral = errors.New("são vários papéis, e cada imagem precisa de um arquivo; use --to pdf ou outro --out")

// readJob tells by its name, or else by its first sign, what a file is.
func (p Command) readJob(file string, data []byte, style fiscal.Style) (printing.Job, error) {
	switch trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n"); {
	case len(trimmed) == 0:
		return printing.Job{}, errEmpty
	case p.ACBr || strings.EqualFold(filepath.Ext(file), ".acbr"):
		document, err := acbr.Shop{Logo: style.Logo}.Read(acbr.Decode(data, ""))
		remark(document.WarningsOn(p.Roll()))
		return printing.Job{Kind: printing.ACBr, Pages: document.Pages, Drawers: document.Drawers}, err
	case trimmed[0] == '<':
		document, err := fiscal.Parse(data)
		if err != nil {
			return printing.Job{}, err
		}
		remark(document.Warnings)
		return printing.OnePage(printing.XML, style.Layout(document)), nil
	case trimmed[0] == '[', trimmed[0] == '{':
		page, remarks, err := httpapi.TextPage(data)
		remark(remarks)
		return printing.OnePage(printing.Text, page), err
	}
	page, err := httpapi.ImagePage(data)
	if errors.Is(err, receipt.ErrNotImage) {
		if _, why := fiscal.Parse(data); errors.Is(why, fiscal.ErrOtherFormat) || errors.Is(why, fiscal.ErrEncoding) {
			err = why // it is known what it is
		}
	}
	return printing.OnePage(printing.Image, page), err
}

var errEmpty = errors.New("o arquivo está vazio")

func remark(remarks []string) {
	for _, r := range remarks {
		fmt.Fprintln(os.Stderr, "maquininha: aviso: "+r)
	}
}

// render makes the files: pictures are one a paper.
func (p Command) render(job printing.Job) ([][]byte, error) {
	if p.form() == "escpos" {
		var out bytes.Buffer
		err := p.Write(&out, job)
		return [][]byte{out.Bytes()}, err
	}
	var pictures [][]byte
	for _, page := range job.Pages {
		paper, err := p.Dots(page)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := png.Encode(&out, paper.Image()); err != nil {
			return nil, err
		}
		pictures = append(pictures, out.Bytes())
	}
	if p.form() == "png" {
		return pictures, nil
	}
	var document bytes.Buffer
	err := receipt.WritePDF(&document, pictures...)
	return [][]byte{document.Bytes()}, err
}

// target is where a file's result goes. The whole name stays in it: a picture must not become its own print.
func (p Command) target(file string) string {
	if p.Out != "" && !isFolder(p.Out) {
		return p.Out
	}
	folder := filepath.Dir(file)
	if p.Out != "" {
		folder = p.Out
	}
	return filepath.Join(folder, filepath.Base(file)+"."+p.form())
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// whyNot says it in Portuguese.
func whyNot(err error) string {
	var path *fs.PathError
	var wordy interface{ Words() string }
	switch {
	case errors.Is(err, errEmpty), errors.Is(err, errItself), errors.Is(err, errSeveral):
		return err.Error()
	case errors.Is(err, context.Canceled):
		return "interrompido"
	case errors.As(err, &wordy):
		return wordy.Words()
	case errors.Is(err, receipt.ErrNotImage):
		return "não é imagem (PNG, JPEG, GIF, BMP ou WebP), XML fiscal, texto com tags ACBr (.acbr) nem lista de instruções em JSON"
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return "o arquivo ou a pasta não existe"
	case errors.As(err, &path) && errors.Is(err, fs.ErrPermission):
		return "sem permissão"
	case errors.As(err, &path):
		return "não pode ser lido ou escrito: " + portuguese.Error(path.Err)
	}
	return httpapi.WhyNotPrinted(err)
}
