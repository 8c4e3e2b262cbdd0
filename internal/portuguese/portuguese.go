// Package portuguese has the Portuguese words for errors, which the house makes in English: for the log, for reports and
// for whoever runs the terminal.
package portuguese

import "strings"

// Error is an error in Portuguese, on one line.
func Error(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n") // behind a panic's first line is its stack
	return Text(text)
}

// Text is what a program noted of a failure, in Portuguese. What has no words here stays as it is.
func Text(text string) string { return words.Replace(text) }
