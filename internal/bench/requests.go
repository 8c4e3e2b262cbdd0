package main

import (
	"strconv"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

const manyClients = 16

// The goals of the table's requests.
const (
	statusGoal = 0.7
	itemGoal   = 0.7
	itemsGoal  = 0.5
)

// item is what the caller scans. It has no id, so that the same bytes can be sent again: the service makes one.
const item = `{"code":"7891910000197","description":"Açúcar refinado União 1 kg","quantity":2,"unitPrice":5.49,"discount":0.5,` +
	`"total":10.48,"additionalInfo":"corredor 4"}`

var (
	openSale   = rig.Request("POST", "/sale", `{"customerName":"Maria da Conceição","customerDocument":"52998224725","sellerName":"Davi"}`)
	cancelSale = rig.Request("POST", "/sale/cancel", `{"showMessage":false}`)
	addItem    = rig.Request("POST", "/sale/item", item)
)

// measureRequests holds reading and writing against a bare handler, and writing together against reading.
func (b *bench) measureRequests() ([]figures.Row, error) {
	service, err := b.freshService("requests")
	if err != nil {
		return nil, err
	}
	defer service.Stop() //nolint:errcheck // what it answered is counted already
	statusAnswer, err := rig.Send(service.Address, rig.GetStatus)
	if err != nil {
		return nil, err
	}
	statusText := string(statusAnswer)
	itemAnswer, err := rig.Send(service.Address, openSale, addItem)
	if err != nil {
		return nil, err
	}
	bare, err := b.bare(statusText, string(itemAnswer))
	if err != nil {
		return nil, err
	}
	defer bare.Process.Kill() //nolint:errcheck // it knows no other way to end

	load := func(s *rig.Server, clients int, r []byte) func() (float64, error) {
		return func() (float64, error) { return rig.Drive(s.Address, clients, rig.Always(r), rig.During(b.round)) }
	}
	status, err := figures.Duel(b.ctx, b.rounds, load(service, manyClients, rig.GetStatus), load(bare, manyClients, rig.GetStatus))
	if err != nil {
		return nil, err
	}
	one, err := figures.Duel(b.ctx, b.rounds, b.newSale(service, load(service, 1, addItem)), load(bare, 1, addItem))
	if err != nil {
		return nil, err
	}
	many, err := figures.Duel(b.ctx, b.rounds, b.newSale(service, load(service, manyClients, addItem)), load(service, manyClients, rig.GetStatus))
	if err != nil {
		return nil, err
	}
	clients := strconv.Itoa(manyClients) + " clients"
	return []figures.Row{
		{
			Measure: "GET /status, " + clients, Value: figures.PerSecond(status.First), Against: "bare net/http handler: " + figures.PerSecond(status.Second),
			Ratio: status.Ratio, Goal: figures.AtLeast(statusGoal), OK: status.Ratio >= statusGoal,
		},
		{
			Measure: "durable POST /sale/item, 1 client", Value: figures.PerSecond(one.First), Against: "bare append and fdatasync: " + figures.PerSecond(one.Second),
			Ratio: one.Ratio, Goal: figures.AtLeast(itemGoal), OK: one.Ratio >= itemGoal,
		},
		{
			Measure: "durable POST /sale/item, " + clients, Value: figures.PerSecond(many.First), Against: "own GET /status: " + figures.PerSecond(many.Second),
			Ratio: many.Ratio, Goal: figures.AtLeast(itemsGoal), OK: many.Ratio >= itemsGoal,
		},
	}, nil
}

// newSale has a measurement begin with an empty cart, outside of what it times: carts of this size are measured
// elsewhere, and rounds are to be alike.
func (b *bench) newSale(s *rig.Server, measure func() (float64, error)) func() (float64, error) {
	return func() (float64, error) {
		if _, err := rig.Send(s.Address, cancelSale, openSale); err != nil {
			return 0, err
		}
		return measure()
	}
}
