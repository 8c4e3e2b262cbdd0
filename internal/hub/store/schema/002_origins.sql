-- Epochs that others are copies of: up to the number, the records of the epoch are those of its origin, and are kept there.

CREATE TABLE origins (
    terminal_id TEXT NOT NULL,
    epoch       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    origin      TEXT NOT NULL,
    number      BIGINT NOT NULL,
    account_id  TEXT NOT NULL,
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    PRIMARY KEY (terminal_id, epoch, kind, origin)
);
