package main

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// digitRun is what may hold a card number: digits with at most one sign between them.
var digitRun = regexp.MustCompile(`[0-9](?:[ .\-]?[0-9]){12,}`)

// cardNumbers are the numbers in a text that could be a card's: 13 to 19 digits, unbroken or spaced as on a card, that
// begin like one and have its check digit.
func cardNumbers(text string) (found []string) {
	for _, run := range digitRun.FindAllString(text, -1) {
		groups := strings.FieldsFunc(run, func(r rune) bool { return r < '0' || r > '9' })
		for first, group := range groups {
			if isCard(group) {
				found = append(found, group)
			}
			for _, layout := range layouts {
				if number, ok := spaced(groups[first:], layout); ok && isCard(number) {
					found = append(found, number)
				}
			}
		}
	}
	return found
}

// layouts are how cards are embossed.
var layouts = [][]int{{4, 4, 4, 4}, {4, 4, 4, 4, 3}, {4, 6, 5}, {4, 6, 4}}

func spaced(groups []string, layout []int) (number string, fits bool) {
	if len(groups) < len(layout) {
		return "", false
	}
	for i, digits := range layout {
		if len(groups[i]) != digits {
			return "", false
		}
		number += groups[i]
	}
	return number, true
}

// planted are the cards that the careless TEF manager tells of. In a database file one column's digits follow on
// another's and look like anything; these can't be there by chance.
var planted = regexp.MustCompile(`4111[ .\-]?1111[ .\-]?1111[ .\-]?1111|5555[ .\-]?5555[ .\-]?5555[ .\-]?4444`)

func isCard(number string) bool {
	if len(number) < 13 || len(number) > 19 || !strings.ContainsAny(number[:1], "3456") {
		return false
	}
	sum := 0
	for i := range len(number) {
		d := int(number[i] - '0')
		if (len(number)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// searchAnswers looks for card numbers in what the terminal tells its callers.
func (s *station) searchAnswers(ctx context.Context) {
	for _, path := range []string{"/logs?limit=100000", "/transaction", "/emulator/screen", "/emulator/requests"} {
		r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.Service.API+path, nil)
		if err != nil {
			continue
		}
		r.SetBasicAuth(user, password)
		response, err := s.client.Do(r)
		if err != nil {
			s.leaks = append(s.leaks, path+": "+err.Error())
			continue
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			s.leaks = append(s.leaks, path+" could not be read: "+response.Status)
		}
		for _, number := range cardNumbers(string(text)) {
			s.leaks = append(s.leaks, path+": "+number)
		}
	}
}
