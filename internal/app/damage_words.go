package app

import (
	"errors"
	"strings"

	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/syserror"
)

// WhyUnreadable says in the technician's words why a file of the data can't be read; what SQLite itself says of damage stays, for
// support.
func WhyUnreadable(err error) error {
	text := err.Error()
	for _, row := range [][2]string{
		{"is no plain file", "não é um arquivo comum"},
		{"written by a newer version", "é de uma versão mais nova do programa"},
		{"written by an older version", "é de uma versão mais antiga do programa; inicie o serviço uma vez para atualizá-lo"},
		{"disk I/O error", "o disco não pôde ser lido, ou o arquivo está cortado"},
		{"file is not a database", "não é um banco de dados"},
		{"database disk image is malformed", "está danificado por dentro"},
		{"unable to open database file", "não pôde ser aberto"},
		{"database is locked", "está preso por outro programa"},
		{"no write-ahead log", "o arquivo -wal ao lado dele não é dele"},
		{"missing or empty", "sumiu ou está vazio"},
		{"no such table", "não é da maquininha"},
		{"the file is cut off", "o arquivo está cortado"},
		{"the newest data are missing", "faltam os dados mais novos"},
	} {
		if strings.Contains(text, row[0]) {
			return worded{row[1], err}
		}
	}
	if errors.Is(err, store.ErrUnreadable) {
		return worded{"está danificado (" + strings.TrimPrefix(text, store.ErrUnreadable.Error()+": ") + ")", err}
	}
	return worded{syserror.Reason(err).Error(), err}
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (w worded) Error() string { return w.text }
func (w worded) Unwrap() error { return w.err }
