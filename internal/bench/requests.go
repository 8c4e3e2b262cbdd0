package main

import "strconv"

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
	openSale   = request("POST", "/sale", `{"customerName":"Maria da Conceição","customerDocument":"52998224725","sellerName":"Davi"}`)
	cancelSale = request("POST", "/sale/cancel", `{"showMessage":false}`)
	addItem    = request("POST", "/sale/item", item)
)

// measureRequests holds reading and writing against a bare handler, and writing together against reading.
func (b *bench) measureRequests() ([]row, error) {
	service, err := b.freshService("requests")
	if err != nil {
		return nil, err
	}
	defer service.stop() //nolint:errcheck // what it answered is counted already
	statusAnswer, err := send(service.address, getStatus)
	if err != nil {
		return nil, err
	}
	statusText := string(statusAnswer)
	itemAnswer, err := send(service.address, openSale, addItem)
	if err != nil {
		return nil, err
	}
	bare, err := b.bare(statusText, string(itemAnswer))
	if err != nil {
		return nil, err
	}
	defer bare.process.Kill() //nolint:errcheck // it knows no other way to end

	load := func(s *server, clients int, r []byte) func() (float64, error) {
		return func() (float64, error) { return drive(s.address, clients, always(r), during(b.round)) }
	}
	status, err := b.duel(b.rounds, load(service, manyClients, getStatus), load(bare, manyClients, getStatus))
	if err != nil {
		return nil, err
	}
	one, err := b.duel(b.rounds, b.newSale(service, load(service, 1, addItem)), load(bare, 1, addItem))
	if err != nil {
		return nil, err
	}
	many, err := b.duel(b.rounds, b.newSale(service, load(service, manyClients, addItem)), load(service, manyClients, getStatus))
	if err != nil {
		return nil, err
	}
	clients := strconv.Itoa(manyClients) + " clients"
	return []row{
		{
			"GET /status, " + clients, perSecond(status.first), "bare net/http handler: " + perSecond(status.second),
			status.ratio, atLeast(statusGoal), status.ratio >= statusGoal,
		},
		{
			"durable POST /sale/item, 1 client", perSecond(one.first), "bare append and fdatasync: " + perSecond(one.second),
			one.ratio, atLeast(itemGoal), one.ratio >= itemGoal,
		},
		{
			"durable POST /sale/item, " + clients, perSecond(many.first), "own GET /status: " + perSecond(many.second),
			many.ratio, atLeast(itemsGoal), many.ratio >= itemsGoal,
		},
	}, nil
}

// newSale has a measurement begin with an empty cart, outside of what it times: carts of this size are measured
// elsewhere, and rounds are to be alike.
func (b *bench) newSale(s *server, measure func() (float64, error)) func() (float64, error) {
	return func() (float64, error) {
		if _, err := send(s.address, cancelSale, openSale); err != nil {
			return 0, err
		}
		return measure()
	}
}
