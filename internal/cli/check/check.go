// Package check is the command that says whether the service would start, and what would not work.
package check

import (
	"context"
	"os"

	"github.com/maquininha/maquininha/internal/cli/inspection"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Command is maquininha check.
type Command struct {
	inspection.Flags `embed:""`
}

// Help is the rest of the page.
func (Command) Help() string {
	return `Lê a configuração como o serviço leria, com as mesmas opções e variáveis, e experimenta cada parte: nada é impresso, nenhum dinheiro
se move. Pode ser usado com o serviço no ar. ✓ está em ordem, ! merece atenção, ✗ está errado, – não foi conferido; o código de
saída é 1 quando há ✗.`
}

// Run inspects everything and says what it found.
func (c Command) Run(ctx context.Context, config *options.Configuration) error {
	c.DNS.Use()
	found := &inspection.Findings{Out: os.Stdout}
	(&inspection.Inspection{Flags: c.Flags, Findings: found, Context: ctx}).Run(config, "o serviço não iniciaria com isto; aqui não valeu")
	return found.End()
}
