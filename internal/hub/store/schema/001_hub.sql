-- One text for SQLite and PostgreSQL: what one of them lacks is not used, nor what a distributed database that speaks PostgreSQL
-- lacks. Times are microseconds since 1970, NULL for none. Every record has its account, tenant and shop.

CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE tenants (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (account_id, name)
);

CREATE TABLE shops (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    tenant_id  TEXT NOT NULL REFERENCES tenants (id),
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (tenant_id, name)
);

CREATE TABLE terminals (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    tenant_id  TEXT NOT NULL,
    shop_id    TEXT NOT NULL REFERENCES shops (id),
    name       TEXT NOT NULL,
    public_key BYTEA NOT NULL,
    joined_at  BIGINT NOT NULL,
    revoked_at BIGINT,
    version    TEXT NOT NULL,
    seen_at    BIGINT,
    condition  TEXT NOT NULL -- JSON
);
CREATE INDEX terminals_of ON terminals (account_id, tenant_id, shop_id);

-- Tenant and shop of who signs in are empty for who sees a larger whole.
CREATE TABLE keys (
    id               TEXT PRIMARY KEY,
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    tenant_id        TEXT NOT NULL,
    shop_id          TEXT NOT NULL,
    role             TEXT NOT NULL,
    name             TEXT NOT NULL,
    hash             BYTEA NOT NULL UNIQUE,
    needs_references BOOLEAN NOT NULL,
    created_at       BIGINT NOT NULL,
    revoked_at       BIGINT
);

CREATE TABLE people (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    tenant_id  TEXT NOT NULL,
    shop_id    TEXT NOT NULL,
    role       TEXT NOT NULL,
    name       TEXT NOT NULL,
    hash       BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
-- Who was revoked leaves the name to others.
CREATE UNIQUE INDEX people_by_name ON people (name) WHERE revoked_at IS NULL;

CREATE TABLE sessions (
    token_hash BYTEA PRIMARY KEY,
    person_id  TEXT NOT NULL REFERENCES people (id),
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_of ON sessions (person_id);

CREATE TABLE codes (
    hash       BYTEA PRIMARY KEY,
    account_id TEXT NOT NULL,
    tenant_id  TEXT NOT NULL,
    shop_id    TEXT NOT NULL REFERENCES shops (id),
    name       TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- The audit log. Numbers are given in the transaction, not by a sequence: none is left out, and who changes something waits for
-- whoever does before him.
CREATE TABLE change_number (
    last BIGINT NOT NULL
);
INSERT INTO change_number (last) VALUES (0);

CREATE TABLE changes (
    number     BIGINT PRIMARY KEY,
    account_id TEXT NOT NULL,
    tenant_id  TEXT NOT NULL,
    shop_id    TEXT NOT NULL,
    at         BIGINT NOT NULL,
    who        TEXT NOT NULL,
    what       TEXT NOT NULL,
    target     TEXT NOT NULL
);
CREATE INDEX changes_of ON changes (account_id, number);

CREATE TABLE cursors (
    terminal_id TEXT NOT NULL,
    epoch       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    number      BIGINT NOT NULL,
    at          BIGINT,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    PRIMARY KEY (terminal_id, epoch, kind)
);

CREATE TABLE gaps (
    terminal_id  TEXT NOT NULL,
    epoch        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    first_number BIGINT NOT NULL,
    last_number  BIGINT NOT NULL,
    found_at     BIGINT NOT NULL,
    account_id   TEXT NOT NULL,
    tenant_id    TEXT NOT NULL,
    shop_id      TEXT NOT NULL,
    PRIMARY KEY (terminal_id, epoch, kind, first_number)
);

CREATE TABLE steps (
    terminal_id TEXT NOT NULL,
    epoch       TEXT NOT NULL,
    number      BIGINT NOT NULL,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    attempt     BIGINT NOT NULL,
    at          BIGINT,
    operation   TEXT NOT NULL,
    state       TEXT NOT NULL,
    note        TEXT NOT NULL,
    PRIMARY KEY (terminal_id, epoch, number)
);
CREATE INDEX steps_of ON steps (terminal_id, epoch, attempt);

CREATE TABLE transactions (
    terminal_id TEXT NOT NULL,
    epoch       TEXT NOT NULL,
    attempt     BIGINT NOT NULL,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    reference   TEXT NOT NULL,
    method      TEXT NOT NULL,
    amount      TEXT NOT NULL,
    status      TEXT NOT NULL,
    nsu         TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    answer      BYTEA NOT NULL,
    superseded  BOOLEAN NOT NULL, -- another epoch has the same one: a data folder was restored, and its ledger read again
    PRIMARY KEY (terminal_id, epoch, attempt)
);
CREATE INDEX transactions_by_time ON transactions (account_id, created_at, terminal_id, epoch, attempt);
CREATE INDEX transactions_of ON transactions (terminal_id, created_at, epoch, attempt);
-- Old terminals took references of any length; an index does not.
CREATE INDEX transactions_by_reference ON transactions (account_id, substr(reference, 1, 200));

-- What was given back, in the order it was.
CREATE TABLE returns (
    terminal_id TEXT NOT NULL,
    epoch       TEXT NOT NULL,
    attempt     BIGINT NOT NULL,
    part        BIGINT NOT NULL,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    at          BIGINT NOT NULL,
    amount      TEXT NOT NULL,
    PRIMARY KEY (terminal_id, epoch, attempt, part)
);
CREATE INDEX returns_by_time ON returns (account_id, at);

CREATE TABLE entries (
    terminal_id TEXT NOT NULL,
    epoch       TEXT NOT NULL,
    id          BIGINT NOT NULL,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    at          BIGINT NOT NULL,
    level       TEXT NOT NULL,
    source      TEXT NOT NULL,
    message     TEXT NOT NULL,
    details     TEXT NOT NULL,
    PRIMARY KEY (terminal_id, epoch, id)
);
CREATE INDEX entries_by_time ON entries (account_id, at, terminal_id, epoch, id);
CREATE INDEX entries_of ON entries (terminal_id, at, epoch, id);
CREATE INDEX entries_by_age ON entries (at);

CREATE TABLE operations (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    caller      TEXT NOT NULL,
    key         TEXT NOT NULL,
    digest      BYTEA NOT NULL,
    reference   TEXT NOT NULL,
    method      TEXT NOT NULL,
    path        TEXT NOT NULL,
    body        BYTEA NOT NULL,
    state       TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    status      BIGINT NOT NULL,
    headers     TEXT NOT NULL, -- JSON
    answer      BYTEA NOT NULL,
    UNIQUE (caller, terminal_id, key)
);
CREATE INDEX operations_of ON operations (account_id, created_at);
CREATE INDEX operations_by_end ON operations (ended_at);
CREATE INDEX operations_by_state ON operations (state);
