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
// shown. A value under a misspelt name may be the password, and so may be anything in a file that is no TOML, and what stands where the
// file of a secret should: is tells whether there is such a file.
func Config(data []byte, settings []configfile.Setting, is func(file string) bool) []byte {
	c := shownConfig{open: map[string]bool{}, fileOfSecret: map[string]bool{}, is: is}
	for _, s := range settings {
		c.open[s.Name()] = !s.Secret
		if s.Secret {
			c.fileOfSecret[FileOf(s)] = true
		}
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
			line, table = c.line(line, table)
		}
		out.WriteString(line)
		if ended {
			out.WriteByte('\r')
		}
	}
	return out.Bytes()
}

// FileOf is the setting that names the file of a secret.
func FileOf(secret configfile.Setting) string { return secret.Name() + "_file" }

// shownConfig knows which settings may be shown.
type shownConfig struct {
	open, fileOfSecret map[string]bool
	is                 func(file string) bool
}

// value tells whether a value may be shown, and how.
func (c shownConfig) value(name, value string) (shown string, ok bool) {
	text := strings.Trim(value, `"'`)
	if c.fileOfSecret[name] && text != "" && !c.is(text) {
		return "", false
	}
	if i := strings.IndexAny(text, "?#"); i >= 0 && (strings.Contains(text, "://") || strings.Contains(name, "url")) {
		return `"` + text[:i+1] + Hidden + `"`, true
	}
	return value, true
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

// line is a line as it may be shown, and the table that the next one is in.
func (c shownConfig) line(line, table string) (shown, next string) {
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
		if c.open[name] && value != nil && !telling.MatchString(value[2]) {
			if shown, ok := c.value(name, value[1]); ok {
				return m[1] + m[2] + m[3] + shown + m[4][len(value[1]):], table
			}
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
