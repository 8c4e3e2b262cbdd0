package apidoc

import (
	"testing"

	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
)

func TestDescription(t *testing.T) { docpagetest.Check(t, Spec(), nil) }
