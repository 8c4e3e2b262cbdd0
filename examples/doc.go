// Package examples holds one whole sale, and a self-service payment, in each of several languages, and an exchange in some; its tests run them
// against the real program.
package examples
