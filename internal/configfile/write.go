package configfile

import (
	"strconv"
	"strings"
)

// Section introduces a table.
type Section struct{ Table, Title string }

// Write is a file with every setting: those with a value are set, the others are comments with their default.
func Write(preamble string, sections []Section, settings []Setting, values map[string]string) []byte {
	var b strings.Builder
	comment(&b, preamble)
	for _, section := range sections {
		if section.Table != "" {
			b.WriteByte('\n')
		}
		if section.Title != "" {
			comment(&b, section.Title)
		}
		if section.Table != "" {
			b.WriteString("[" + section.Table + "]\n")
		}
		for _, s := range settings {
			if s.Table == section.Table {
				b.WriteByte('\n')
				entry(&b, s, settings, values[s.Name()])
			}
		}
	}
	return []byte(b.String())
}

func entry(b *strings.Builder, s Setting, settings []Setting, value string) {
	help := InKeys(s.Help, settings)
	if s.Variable != "" {
		help += " [" + s.Variable + "]"
	}
	comment(b, help)
	if value != "" {
		b.WriteString(s.Key + " = " + s.literal(value) + "\n")
		return
	}
	value = s.Default
	if value == "" {
		value = s.Example
	}
	b.WriteString("#" + s.Key + " = " + s.literal(value) + "\n")
}

func (s Setting) literal(value string) string {
	switch {
	case s.Kind == Switch && value == "":
		return "false"
	case s.Kind == Switch, s.Kind == Number:
		return value
	}
	return quote(value)
}

// quote writes a text as TOML; paths of Windows stay as they are typed.
func quote(text string) string {
	if strings.Contains(text, `\`) && !strings.ContainsAny(text, "'\n\r\t") && strconv.CanBackquote(text) {
		return "'" + text + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c == 0x7f:
			b.WriteString(`\u00` + strconv.FormatInt(int64(c)+0x100, 16)[1:])
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// InKeys is a text that speaks of flags, in the words of the file.
func InKeys(text string, settings []Setting) string {
	parts := strings.Split(text, "--")
	for i := 1; i < len(parts); i++ {
		end := strings.IndexFunc(parts[i], func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') })
		if end < 0 {
			end = len(parts[i])
		}
		name := strings.TrimRight(parts[i][:end], "-")
		rest := parts[i][len(name):]
		key := "--" + name
		for _, s := range settings {
			switch name {
			case s.Flag:
				key = s.Where()
			case "no-" + s.Flag:
				key = s.Key + " = false"
			}
		}
		parts[i] = key + rest
	}
	return strings.Join(parts, "")
}

// comment writes text in lines of a readable width.
func comment(b *strings.Builder, text string) {
	const width = 100
	for paragraph := range strings.Lines(text) {
		line := "#"
		for _, word := range strings.Fields(paragraph) {
			if len([]rune(line))+1+len([]rune(word)) > width {
				b.WriteString(line + "\n")
				line = "#"
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
}
