-- What the hub decides of terminals' settings, and what they made of it.

CREATE TABLE settings (
    id          TEXT NOT NULL,   -- of the account, the tenant, the shop or the terminal
    version     BIGINT NOT NULL,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    body        TEXT NOT NULL,   -- names and values as JSON
    secrets     TEXT NOT NULL,   -- as JSON, each sealed with the hub's key
    comment     TEXT NOT NULL,
    who         TEXT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (id, version)
);
CREATE INDEX settings_of ON settings (account_id);
CREATE INDEX settings_at ON settings (terminal_id);

CREATE TABLE settings_reports (
    terminal_id TEXT PRIMARY KEY,
    mark        TEXT NOT NULL,   -- of what the terminal has
    layers      TEXT NOT NULL,   -- as JSON
    refused     TEXT NOT NULL,   -- as JSON
    at          BIGINT,
    trouble     TEXT NOT NULL
);
