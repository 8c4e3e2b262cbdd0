// Package examples holds one whole sale in each of several languages; its tests run them against the real program.
package examples
