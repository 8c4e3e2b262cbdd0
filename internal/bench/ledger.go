package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
	"github.com/maquininha/maquininha/internal/store"
)

const (
	ledgerGoal  = 1.3
	smallLedger = 100
)

// measureLedger asks what it costs to find a transaction among very many.
func (b *bench) measureLedger() ([]figures.Row, error) {
	var finders [2]func() (float64, error)
	for i, n := range []int{smallLedger, b.transactions} {
		data, err := b.folder(fmt.Sprintf("ledger-%d", n))
		if err != nil {
			return nil, err
		}
		references, err := fillLedger(data, n)
		if err != nil {
			return nil, err
		}
		service, err := b.service(data)
		if err != nil {
			return nil, err
		}
		defer service.Stop() //nolint:errcheck // what it answered is counted already
		requests := make([][]byte, n)
		for i, reference := range references {
			requests[i] = rig.Request("GET", "/transaction/"+reference, "")
		}
		finders[i] = func() (float64, error) {
			return rig.Drive(service.Address, manyClients, func() []byte { return requests[rand.IntN(n)] }, rig.During(b.round))
		}
	}
	found, err := figures.Duel(b.ctx, b.rounds, finders[0], finders[1])
	if err != nil {
		return nil, err
	}
	return []figures.Row{{
		Measure: fmt.Sprintf("GET /transaction/{id}, %s stored", figures.Thousands(b.transactions)), Value: figures.PerSecond(found.Second),
		Against: fmt.Sprintf("%d stored: %s", smallLedger, figures.PerSecond(found.First)), Ratio: found.Ratio, Goal: figures.AtMost(ledgerGoal), OK: found.Ratio <= ledgerGoal,
	}}, nil
}

// fillLedger stores approved transactions the way the service does, each begun and then settled, and returns
// their references. Many do so at once, so that they share the commits.
func fillLedger(data string, n int) ([]string, error) {
	files, err := store.Open(data)
	if err != nil {
		return nil, err
	}
	ledger, err := files.Ledger()
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	references := make([]string, n)
	for i := range references {
		references[i] = uuid.NewString()
	}
	const writers = 256
	var (
		failures [writers]error
		writing  sync.WaitGroup
	)
	for w := range writers {
		writing.Go(func() {
			for i := w; i < n && failures[w] == nil; i += writers {
				failures[w] = pay(ledger, references[i], i)
			}
		})
	}
	writing.Wait()
	return references, errors.Join(errors.Join(failures[:]...), files.Close())
}

func pay(ledger *store.Ledger, reference string, i int) error {
	amount, err := money.Parse(fmt.Sprintf("%d.%02d", 1+i%900, i%100))
	if err != nil {
		return err
	}
	now := time.Now()
	t := payment.Transaction{
		Request: payment.Request{
			Method: payment.Credit, Amount: amount, Reference: reference, Installments: 1 + i%12, Plan: payment.Seller,
			Extra: []byte(`{"pedido":"` + fmt.Sprint(i) + `","loja":"centro"}`),
		},
		State: payment.StateBegun, CreatedAt: now, UpdatedAt: now,
	}
	if t.ID, err = ledger.Begin(t); err != nil {
		return err
	}
	nsu := fmt.Sprintf("%012d", i)
	receipt := strings.Join([]string{
		"MERCADO DA CONCEIÇÃO", "CNPJ 11.222.333/0001-81", "VENDA CRÉDITO PARCELADO", "NSU " + nsu, "AUT 123456",
		"VALOR R$ " + amount.String(), "**** **** **** 1111", "APROVADA MEDIANTE SENHA",
	}, "\n")
	t.Acquirer, t.State, t.UpdatedAt = "emulator", payment.StateConfirmed, time.Now()
	t.Outcome = payment.Outcome{
		Verdict: payment.Accepted, NSU: nsu, Authorization: "123456", Brand: "01", AcquirerCNPJ: "01425787000104",
		PaidWith: payment.Credit, Receipt: payment.Receipt{Customer: receipt, Merchant: receipt},
	}
	return ledger.Append(t, "")
}
