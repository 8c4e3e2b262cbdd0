package logbook

import "strings"

// AppendLine appends an entry as one line of the plain-text archive, newline
// included: time, level, source, message and, behind a bar, the details.
func AppendLine(dst []byte, e Entry) []byte {
	dst = e.At.AppendFormat(dst, archiveTime)
	dst = append(dst, ' ')
	dst = append(dst, strings.ToUpper(string(e.Level))...)
	dst = append(dst, ' ')
	return append(AppendText(dst, e), '\n')
}

// AppendText appends an entry without its time and level, for logs that have their own; it stays on one line.
func AppendText(dst []byte, e Entry) []byte {
	dst = append(dst, e.Source...)
	dst = append(dst, ' ')
	dst = appendEscaped(dst, e.Message)
	if e.Details != "" {
		dst = append(dst, " | "...)
		dst = appendEscaped(dst, e.Details)
	}
	return dst
}

// archiveTime has a fixed width, so that the columns line up.
const archiveTime = "2006-01-02T15:04:05.000Z07:00"

// appendEscaped keeps a text on its line, and the line harmless to the terminal
// that shows it: control characters become Go escapes. Backslashes stay single,
// because people read and search this file more than programs take it apart.
func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != 0x7f {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, s[start:]...)
}
