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
	cause := store.Cause(err)
	for _, row := range []struct {
		err  error
		text string
	}{
		{store.ErrNotFile, "não é um arquivo comum"},
		{store.ErrNewer, "é de uma versão mais nova do programa"},
		{store.ErrOlder, "é de uma versão mais antiga do programa; inicie o serviço uma vez para atualizá-lo"},
		{store.ErrDisk, "o disco não pôde ser lido, ou o arquivo está cortado"},
		{store.ErrNotDatabase, "não é um banco de dados"},
		{store.ErrMalformed, "está danificado por dentro"},
		{store.ErrNotOpened, "não pôde ser aberto"},
		{store.ErrLocked, "está preso por outro programa"},
		{store.ErrForeignWAL, "o arquivo -wal ao lado dele não é dele"},
		{store.ErrMissing, "sumiu ou está vazio"},
		{store.ErrTables, "não é da maquininha"},
		{store.ErrCut, "o arquivo está cortado"},
		{store.ErrLost, "faltam os dados mais novos"},
	} {
		if errors.Is(err, row.err) || cause == row.err {
			return worded{row.text, err}
		}
	}
	if errors.Is(err, store.ErrUnreadable) {
		return worded{"está danificado (" + strings.TrimPrefix(err.Error(), store.ErrUnreadable.Error()+": ") + ")", err}
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
