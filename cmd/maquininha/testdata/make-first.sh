#!/bin/sh
# Makes first.tar.gz anew: the data folder that the first version with today's first schema leaves behind when it is killed in the
# middle of a payment, with sales, a ledger and a log. Needs the repository's history, go and curl. Run it in this folder.
set -eu
first=8e2331d # the commit; programs before it had other tables under the same number, and were never given to anybody
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
(cd ../../.. && git archive "$first") | tar x -C "$work/source"
(cd "$work/source" && CGO_ENABLED=0 GOFLAGS=-mod=mod go build -o "$work/maquininha" ./cmd/maquininha)

at=127.0.0.1:19057
env -i PATH="$PATH" HOME="$work" TZ=America/Sao_Paulo "$work/maquininha" --data "$work/first" --listen "$at" --screen 127.0.0.1:0 --autopilot-delay 10ms >"$work/said" 2>&1 &
pid=$!
trap 'kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
until curl -s -o /dev/null "http://$at/"; do kill -0 "$pid"; done
password=$(sed -n 's/^ *Senha *\([^ ]*\).*/\1/p' "$work/said")
call() {
	curl -sS --fail-with-body -w '\n' -u "admin:$password" -X "$1" "http://$at$2" ${3:+-d "$3"}
}

call POST /sale '{"customerName": "Ana"}'
call POST /sale/item '{"code": "789", "description": "Café", "quantity": 2, "unitPrice": 18.90, "total": 37.80}'
call POST /sale/item '{"code": "456", "description": "Pão de queijo", "quantity": 1, "unitPrice": 16.44, "total": 16.44}'
call POST /transaction '{"tPag": "03", "amount": 54.24, "referenceId": "pedido-1"}'
call POST /sale/payment '{"description": "Crédito", "value": 54.24, "tPag": "credit"}'
call POST /sale/finalize '{}'
call POST /transaction '{"tPag": "17", "amount": 10.00, "referenceId": "pedido-2"}'
call POST /emulator/acquirer '{"next": "refuse"}'
call POST /transaction '{"tPag": "04", "amount": 7.10, "referenceId": "pedido-3"}' && exit 1 # it is refused
call POST /transaction/pedido-2/reversal ''
call POST /sale '{"customerName": "Zé"}'
call POST /sale/item '{"code": "123", "description": "Açúcar", "quantity": 1, "unitPrice": 5.50, "total": 5.50}'
# The acquirer never answers: the payment is open when the power goes.
call POST /emulator/acquirer '{"next": "approve", "delayMs": 600000}'
curl -sS -u "admin:$password" "http://$at/transaction" -d '{"tPag": "03", "amount": 5.50, "referenceId": "pedido-4"}' >"$work/open" 2>&1 &
until call GET /info | grep -q '"isBusy":true'; do :; done
call GET /transaction
kill -9 "$pid"
wait || true
printf '%s' "$password" >"$work/first/password-of-the-test"
rm -f "$work"/first/*-shm # it is made anew of the log beside it
tar c --sort=name --owner=0 --group=0 --numeric-owner -C "$work" first | gzip -9n >"$here/first.tar.gz"
tar tzvf "$here/first.tar.gz"
