// Package clients holds the clients for other languages, one folder each; its tests run theirs against the real program.
package clients
