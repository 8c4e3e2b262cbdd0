package commandline

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/configfile"
)

// unread is a Refused whose flag kong says before it.
type unread struct{ *configfile.Refused }

func (u unread) Error() string { return u.Why }
func (u unread) Unwrap() error { return u.Refused }

// Unread refuses a text of which no value can be made. It is for a Decode: kong says the flag before it.
func Unread(ctx *kong.DecodeContext, format string, args ...any) error {
	return unread{&configfile.Refused{Flag: ctx.Value.Name, Why: fmt.Sprintf(format, args...)}}
}

// Text is the text of a value with a Decode of its own.
func Text(ctx *kong.DecodeContext) (string, error) {
	var text string
	if ctx.Scan.PopValueInto("", &text) != nil {
		return "", Unread(ctx, invalid)
	}
	return text, nil
}

const invalid = "valor ausente ou inválido"

// mapper is one of kong's own that refuses in Portuguese.
type mapper struct{ kong.Mapper }

func (m mapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	text := ctx.Scan.Peek().String()
	switch {
	case m.Mapper.Decode(ctx, target) == nil:
		return nil
	case target.Kind() == reflect.Bool:
		return Unread(ctx, "deve ser true ou false e não %q", strings.ToLower(text))
	}
	return Unread(ctx, invalid)
}

// mappers are for all that flags of ours are made of.
func mappers() (all []kong.Option) {
	kongs := kong.NewRegistry().RegisterDefaults()
	for _, sample := range []any{"", false, 0, int64(0), uint64(0)} {
		t := reflect.TypeOf(sample)
		all = append(all, kong.KindMapper(t.Kind(), mapper{kongs.ForType(t)}))
	}
	return append(all, kong.TypeMapper(reflect.TypeFor[time.Duration](), mapper{kongs.ForType(reflect.TypeFor[time.Duration]())}),
		kong.NamedMapper("path", mapper{kongs.ForNamedType("path", reflect.TypeFor[string]())}))
}

// checkVariables reads the environment before kong does, which keeps nothing but the text of what is wrong with it. It runs last of all
// that commands do before it.
func checkVariables(ctx *kong.Context, at *kong.Path) error {
	if at != ctx.Path[len(ctx.Path)-1] {
		return nil
	}
	for _, flag := range ctx.Flags() {
		if _, reads := flag.Target.Addr().Interface().(kong.MapperValue); reads {
			continue // a file, which may be a pipe, and be read once
		}
		for _, name := range flag.Envs {
			text, set := os.LookupEnv(name)
			if !set {
				continue
			}
			err := flag.Parse(kong.ScanFromTokens(kong.Token{Value: text, Type: kong.FlagValueToken}), reflect.New(flag.Target.Type()).Elem())
			var refused *configfile.Refused
			if errors.As(err, &refused) {
				refused.Variable = name
				return err
			}
		}
	}
	return nil
}

// OneOf refuses what is not one of a few.
func OneOf(flag, value string, known ...string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return configfile.Refuse(flag, "deve ser um de %s, e não %q", strings.Join(known, ", "), value)
}

// Choices are what a flag may be; none: anything.
func Choices(flag *kong.Flag) []string {
	if !flag.Tag.Has("choices") {
		return nil
	}
	return strings.Split(flag.Tag.Get("choices"), ",")
}

// variableOf is the variable of the environment that a flag's value is from; empty: it is not.
func variableOf(ctx *kong.Context, flag *kong.Flag) string {
	if slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == flag }) {
		return "" // the command line has it
	}
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return name
		}
	}
	return ""
}

// checkChoices refuses what is not among a flag's choices.
func checkChoices(ctx *kong.Context) error {
	for _, flag := range ctx.Flags() {
		choices, value := Choices(flag), fmt.Sprint(ctx.FlagValue(flag))
		if choices != nil && !slices.Contains(choices, value) {
			why := fmt.Sprintf(`deve ser um de "%s" e não %q`, strings.Join(choices, `","`), value)
			return &configfile.Refused{Flag: flag.Name, Why: why, Variable: variableOf(ctx, flag)}
		}
	}
	return nil
}
