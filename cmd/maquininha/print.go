package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// printFiles tries layouts: files as the service would print them, without the service.
type printFiles struct {
	Files        []string `arg:"" name:"arquivo" help:"Imagens, XML fiscais ou instruções de /print/text em JSON."`
	To           string   `default:"png" enum:"png,pdf,escpos,printer" placeholder:"FORMA" help:"png (padrão), pdf, escpos (os bytes da impressora) ou printer (a de --printer)."`
	Out          string   `placeholder:"CAMINHO" help:"Arquivo ou pasta do resultado, - para a saída padrão; sem ele, ao lado de cada arquivo, como cupom.xml.png."`
	Width        int      `default:"576" placeholder:"PONTOS" help:"Largura do papel: 576 (80 mm), 384 (58 mm)."`
	DPI          int      `name:"dpi" default:"203" placeholder:"N" help:"Pontos por polegada."`
	Printer      string   `env:"MAQUININHA_PRINTER" placeholder:"QUAL" help:"Com --to printer, a impressora: tcp://ENDEREÇO[:9100] ou file:CAMINHO[?baud=9600]."`
	printerFlags `embed:""`
}

// Validate refuses what can't be meant; kong calls it.
func (p printFiles) Validate() error {
	if p.Width < 1 || p.Width > 4096 {
		return errors.New("--width deve estar entre 1 e 4096")
	}
	if err := p.check("--dpi", p.DPI); err != nil {
		return err
	}
	if _, err := printer.ParseAddress(p.Printer); p.To == "printer" && err != nil {
		return errors.New("informe em --printer a impressora: tcp://192.168.0.50 ou file:/dev/usb/lp0")
	}
	if p.To == "printer" && p.Out != "" {
		return errors.New("--out não vale com --to printer")
	}
	if len(p.Files) > 1 && p.Out != "" && !isFolder(p.Out) {
		return errors.New("com vários arquivos, --out deve ser uma pasta que existe")
	}
	return nil
}

// Run does all it can: one bad file does not keep the others from printing.
func (p printFiles) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := 0
	for _, file := range p.Files {
		where, err := p.one(ctx, file)
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
		return errSaid
	}
	return nil
}

// errSaid means that the words are out already.
var errSaid = errors.New("")

func (p printFiles) one(ctx context.Context, file string) (where string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	job, err := readJob(data)
	if err != nil {
		return "", err
	}
	if p.To == "printer" {
		return "", p.paper(ctx, job)
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
	return where, os.WriteFile(where, out, 0o644)
}

// readJob tells by its first sign what a file is.
func readJob(data []byte) (printing.Job, error) {
	switch trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n"); {
	case len(trimmed) == 0:
		return printing.Job{}, errEmpty
	case trimmed[0] == '<':
		document, err := fiscal.Parse(data)
		if err != nil {
			return printing.Job{}, err
		}
		remark(document.Warnings)
		return printing.Job{Kind: printing.XML, Page: fiscal.Layout(document)}, nil
	case trimmed[0] == '[', trimmed[0] == '{':
		page, remarks, err := httpapi.TextPage(data)
		remark(remarks)
		return printing.Job{Kind: printing.Text, Page: page}, err
	}
	picture, err := receipt.DecodeImage(data)
	if err != nil {
		return printing.Job{}, err
	}
	return printing.Job{Kind: printing.Image, Page: receipt.Page{Elements: []receipt.Element{receipt.Image{Picture: picture}}}}, nil
}

var errEmpty = errors.New("o arquivo está vazio")

func remark(remarks []string) {
	for _, r := range remarks {
		fmt.Fprintln(os.Stderr, "maquininha: aviso: "+r)
	}
}

func (p printFiles) roll() receipt.Paper { return receipt.Paper{Width: p.Width, DPI: p.DPI} }

func (p printFiles) paper(ctx context.Context, job printing.Job) error {
	address, err := printer.ParseAddress(p.Printer)
	if err != nil {
		return err
	}
	device, err := printer.Open(address, printer.Options{Paper: p.roll(), Cut: p.Cut, Feed: p.Feed, Copies: p.Copies, Drawer: p.Drawer})
	if err != nil {
		return err
	}
	return device.Print(ctx, job)
}

func (p printFiles) render(job printing.Job) ([]byte, error) {
	paper, err := job.Page.Raster(p.roll())
	if err != nil {
		return nil, err
	}
	if paper.Height == 0 {
		paper = receipt.NewBitmap(p.Width, 1) // there is no picture without height
	}
	var out bytes.Buffer
	if p.To == "escpos" {
		err := p.bytes(&out, paper)
		return out.Bytes(), err
	}
	if err := png.Encode(&out, paper.Image()); err != nil || p.To == "png" {
		return out.Bytes(), err
	}
	var document bytes.Buffer
	err = receipt.WritePDF(&document, out.Bytes())
	return document.Bytes(), err
}

// bytes are what a printer would be sent.
func (p printFiles) bytes(out io.Writer, paper *receipt.Bitmap) error {
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
func (p printFiles) target(file string) string {
	if p.Out != "" && !isFolder(p.Out) {
		return p.Out
	}
	folder := filepath.Dir(file)
	if p.Out != "" {
		folder = p.Out
	}
	return filepath.Join(folder, filepath.Base(file)+"."+p.To)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// whyNot says it in Portuguese.
func whyNot(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, errEmpty):
		return err.Error()
	case errors.Is(err, context.Canceled):
		return "interrompido"
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return "o arquivo ou a pasta não existe"
	case errors.As(err, &path) && errors.Is(err, fs.ErrPermission):
		return "sem permissão"
	case errors.As(err, &path):
		return "não pode ser lido ou escrito: " + path.Err.Error()
	}
	return httpapi.WhyNotPrinted(err)
}
