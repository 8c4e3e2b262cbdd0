// Package tunnel carries a hub's requests to a terminal over a connection that the terminal dialled, so that no way into the
// shop's network is needed. Both ends are here: the terminal dials, proves who it is and then serves HTTP/2 on the
// connection; the hub accepts, checks the proof and sends requests.
//
// Invariants: the terminal's private key never leaves it; a proof is bound to a fresh challenge of the hub and to the hub's
// own key, and is useless when replayed; the hub proves itself too, so that a reverse proxy that ends TLS learns nothing
// it could use; whatever the other side sends is bounded before it is read.
package tunnel
