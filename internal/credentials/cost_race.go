//go:build race

package credentials

// cost is the least there is: under the race detector each hash takes twenty times as long, and guards nothing.
const cost = 4
