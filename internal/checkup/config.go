package checkup

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/maquininha/maquininha/internal/configfile"
)

var (
	// tableLine and keyLine are the two kinds of lines that are known for what they are.
	tableLine = regexp.MustCompile(`^\s*\[\s*([A-Za-z0-9_-]+)\s*\]\s*$`)
	keyLine   = regexp.MustCompile(`^(\s*#?\s*)([A-Za-z0-9_.-]{1,60})(\s*=\s*)(.*)$`)
	// telling are words after which people write secrets, also in comments.
	telling = regexp.MustCompile(`(?i)senha|password|passwd|pwd|secret|segredo|token|\bpin\b|chave|private|credenc`)
	// simpleValue begins and ends on its line; what follows it is a comment.
	simpleValue = regexp.MustCompile(`^("[^"\\]*"|'[^']*'|[A-Za-z0-9_.+:-]+)(\s*#.*)?\s*$`)
)

// Config is a configuration file for support: line by line as it is, but that only values of known settings that are no secrets are
// shown. A value under a misspelt name may be the password, and so may be anything in a file that is no TOML.
func Config(data []byte, settings []configfile.Setting) []byte {
	open := map[string]bool{} // settings that may be shown
	for _, s := range settings {
		open[s.Name()] = !s.Secret
	}
	table, within := "", "" // within: the quotes of a text that goes over several lines
	var out bytes.Buffer
	for i, line := range strings.Split(string(data), "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		line, ended := strings.CutSuffix(line, "\r")
		line = strings.TrimPrefix(line, "\ufeff")
		if within != "" {
			if strings.Contains(line, within) {
				within = ""
			}
			line = Hidden
		} else {
			within = opened(line)
			line, table = configLine(line, table, open)
		}
		out.WriteString(line)
		if ended {
			out.WriteByte('\r')
		}
	}
	return out.Bytes()
}

// opened are the quotes of a text that begins on this line and does not end on it.
func opened(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return ""
	}
	double, single := strings.Index(line, `"""`), strings.Index(line, `'''`)
	switch {
	case double >= 0 && (single < 0 || double < single) && strings.Count(line, `"""`)%2 == 1:
		return `"""`
	case single >= 0 && strings.Count(line, `'''`)%2 == 1:
		return `'''`
	}
	return ""
}

// configLine is a line as it may be shown, and the table that the next one is in.
func configLine(line, table string, open map[string]bool) (shown, next string) {
	if strings.TrimSpace(line) == "" {
		return line, table
	}
	if m := tableLine.FindStringSubmatch(line); m != nil {
		return line, m[1]
	}
	if m := keyLine.FindStringSubmatch(line); m != nil {
		name := m[2]
		if table != "" {
			name = table + "." + name
		}
		value := simpleValue.FindStringSubmatch(m[4])
		if open[name] && value != nil && !telling.MatchString(value[2]) {
			return line, table
		}
		if m[4] == "" || m[4] == `""` || m[4] == `''` {
			return line, table
		}
		return m[1] + m[2] + m[3] + `"` + Hidden + `"`, table
	}
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		if telling.MatchString(line) || strings.ContainsAny(line, "=") {
			return "# " + Hidden, table
		}
		return line, table
	}
	return Hidden, table
}
