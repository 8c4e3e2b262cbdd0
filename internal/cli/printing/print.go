// Package printing is the command that prints files as the service would, without it, or shows how they would look.
package printing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/cli/paper"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Command is maquininha print. It tries layouts: files as the service would print them, without the service.
type Command struct {
	Files       []string `arg:"" name:"arquivo" missing:"informe ao menos um arquivo" help:"Imagens, XML fiscais ou instruções de /print/text em JSON."`
	To          string   `placeholder:"FORMA" help:"png (padrão), pdf, escpos (os bytes da impressora) ou printer (a de --printer; padrão quando ela é dada)."`
	Out         string   `placeholder:"CAMINHO" help:"Arquivo ou pasta do resultado, - para a saída padrão; sem ele, ao lado de cada arquivo, como cupom.xml.png."`
	paper.Flags `embed:""`

	options.Coupon `embed:""`
}

// Validate refuses what can't be meant; kong calls it.
func (p Command) Validate() error {
	if err := cmp.Or(p.Check(), commandline.OneOf("to", p.form(), forms...)); err != nil {
		return err
	}
	if p.form() == toPrinter {
		if err := p.CheckPrinter(); err != nil {
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
	job, err := readJob(data, style)
	if err != nil {
		return "", err
	}
	if p.form() == toPrinter {
		return "", p.Print(ctx, job)
	}
	out, err := p.render(job)
	if err != nil {
		return "", err
	}
	if p.Out == "-" {
		_, err := os.Stdout.Write(out)
		return "", err
	}
	where = p.target(file)
	if output.Same(file, where) {
		return "", errItself
	}
	if err := os.WriteFile(where, out, 0o644); err != nil {
		return "", &output.Error{Path: where, Err: err}
	}
	return where, nil
}

// errItself means a print that would take the place of what it was made from.
var errItself = errors.New("o resultado não pode tomar o lugar do próprio arquivo; escolha outro --out")

// readJob tells by its first sign what a file is.
func readJob(data []byte, style fiscal.Style) (printing.Job, error) {
	switch trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n"); {
	case len(trimmed) == 0:
		return printing.Job{}, errEmpty
	case trimmed[0] == '<':
		document, err := fiscal.Parse(data)
		if err != nil {
			return printing.Job{}, err
		}
		remark(document.Warnings)
		return printing.Job{Kind: printing.XML, Page: style.Layout(document)}, nil
	case trimmed[0] == '[', trimmed[0] == '{':
		page, remarks, err := httpapi.TextPage(data)
		remark(remarks)
		return printing.Job{Kind: printing.Text, Page: page}, err
	}
	page, err := httpapi.ImagePage(data)
	if errors.Is(err, receipt.ErrNotImage) {
		if _, why := fiscal.Parse(data); errors.Is(why, fiscal.ErrOtherFormat) || errors.Is(why, fiscal.ErrEncoding) {
			err = why // it is known what it is
		}
	}
	return printing.Job{Kind: printing.Image, Page: page}, err
}

var errEmpty = errors.New("o arquivo está vazio")

func remark(remarks []string) {
	for _, r := range remarks {
		fmt.Fprintln(os.Stderr, "maquininha: aviso: "+r)
	}
}

func (p Command) render(job printing.Job) ([]byte, error) {
	paper, err := p.Dots(job.Page)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if p.form() == "escpos" {
		err := p.bytes(&out, paper)
		return out.Bytes(), err
	}
	if err := png.Encode(&out, paper.Image()); err != nil || p.form() == "png" {
		return out.Bytes(), err
	}
	var document bytes.Buffer
	err = receipt.WritePDF(&document, out.Bytes())
	return document.Bytes(), err
}

// bytes are what a printer would be sent.
func (p Command) bytes(out io.Writer, paper *receipt.Bitmap) error {
	w := escpos.NewWriter(out)
	for n := range p.Copies {
		steps := []func() error{w.Begin, func() error { return w.Band(paper) }, func() error { return w.Feed(p.Feed) }}
		if p.Drawer && n == 0 {
			steps = append([]func() error{w.KickDrawer}, steps...)
		}
		if p.Cut {
			steps = append(steps, w.Cut)
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
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
	case errors.Is(err, errEmpty), errors.Is(err, errItself):
		return err.Error()
	case errors.Is(err, context.Canceled):
		return "interrompido"
	case errors.As(err, &wordy):
		return wordy.Words()
	case errors.Is(err, receipt.ErrNotImage):
		return "não é imagem (PNG, JPEG, GIF, BMP ou WebP), XML fiscal nem lista de instruções em JSON"
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return "o arquivo ou a pasta não existe"
	case errors.As(err, &path) && errors.Is(err, fs.ErrPermission):
		return "sem permissão"
	case errors.As(err, &path):
		return "não pode ser lido ou escrito: " + portuguese.Error(path.Err)
	}
	return httpapi.WhyNotPrinted(err)
}
