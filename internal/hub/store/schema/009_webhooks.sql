-- Webhooks: where callers want to be told of what happens, what has happened, and what became of telling it.

CREATE TABLE webhooks (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    tenant_id  TEXT NOT NULL,
    shop_id    TEXT NOT NULL,
    name       TEXT NOT NULL,
    url        TEXT NOT NULL,
    secret     BYTEA NOT NULL, -- sealed with the hub's key
    types      TEXT NOT NULL,  -- separated by blanks
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX webhooks_of ON webhooks (account_id);

-- An event gets its number after it was committed, one after the other: who reads on from a number misses none.
CREATE TABLE events (
    id          TEXT PRIMARY KEY, -- made of what it tells: the same twice is one
    number      BIGINT UNIQUE,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    type        TEXT NOT NULL,
    at          BIGINT NOT NULL,
    body        TEXT NOT NULL,   -- JSON
    kept_at     BIGINT NOT NULL  -- by the hub's clock; at is the terminal's
);
CREATE INDEX events_old ON events (kept_at);
CREATE INDEX events_new ON events (at) WHERE number IS NULL;
CREATE INDEX events_of ON events (account_id, number);

CREATE TABLE event_number (
    last BIGINT NOT NULL
);
INSERT INTO event_number (last) VALUES (0);

CREATE TABLE deliveries (
    webhook_id TEXT NOT NULL REFERENCES webhooks (id),
    number     BIGINT NOT NULL, -- the event's
    state      TEXT NOT NULL,
    attempts   BIGINT NOT NULL,
    due_at     BIGINT,          -- of the next attempt; NULL: there is none
    tried_at   BIGINT,
    status     BIGINT NOT NULL, -- of the last answer; 0: there was none
    trouble    TEXT NOT NULL,
    PRIMARY KEY (webhook_id, number)
);
CREATE INDEX deliveries_due ON deliveries (due_at, webhook_id);
CREATE INDEX deliveries_of ON deliveries (webhook_id, due_at);

-- How terminals are, as it was told last.
CREATE TABLE told (
    terminal_id TEXT PRIMARY KEY,
    online      BOOLEAN NOT NULL,
    condition   TEXT NOT NULL, -- JSON
    serial      BIGINT NOT NULL
);
