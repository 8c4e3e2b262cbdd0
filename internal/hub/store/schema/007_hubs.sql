-- Several hubs at one database: which of them run, and at which of them each terminal hangs. A hub that is alone writes nothing of this.

CREATE TABLE hubs (
    run         TEXT PRIMARY KEY, -- of one lease: new at every start, and after a lease that was lost
    identity    TEXT NOT NULL,    -- by which terminals know their hub: one for all of them
    address     TEXT NOT NULL,    -- where the other hubs reach it
    key_hash    BYTEA NOT NULL,   -- of the key that it shows the other hubs
    valid_until BIGINT NOT NULL   -- by the database's clock
);

-- Each connection of a terminal has a number, drawn before the terminal proves itself: the higher one is the newer.
CREATE TABLE link_number (
    last BIGINT NOT NULL
);
INSERT INTO link_number (last) VALUES (0);

-- Rows stay when a terminal goes, with an empty run: the number must only grow.
CREATE TABLE locations (
    terminal_id TEXT PRIMARY KEY,
    run         TEXT NOT NULL,
    number      BIGINT NOT NULL,
    since       BIGINT NOT NULL -- it came, or went; by the database's clock
);
CREATE INDEX locations_of ON locations (run);

-- Which run of a hub an operation is of; empty: that of a hub that is alone.
ALTER TABLE operations ADD COLUMN run TEXT NOT NULL DEFAULT '';
