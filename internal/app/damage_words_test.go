package app

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/maquininha/maquininha/internal/store"
)

func TestWhyUnreadable(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("opening x: %w: disk I/O error (10)", store.ErrUnreadable), "o disco não pôde ser lido, ou o arquivo está cortado"},
		{fmt.Errorf("%w: row 3 missing from index", store.ErrUnreadable), "está danificado (row 3 missing from index)"},
		{fmt.Errorf("%w: schema 9", store.ErrNewer), "é de uma versão mais nova do programa"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "sem permissão"},
	} {
		if got := WhyUnreadable(test.err); got.Error() != test.want || !errors.Is(got, test.err) {
			t.Errorf("%v: %q", test.err, got)
		}
	}
}
