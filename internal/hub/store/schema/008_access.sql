-- Keys have an end and a last use, people a second factor.

ALTER TABLE keys ADD COLUMN expires_at BIGINT;
ALTER TABLE keys ADD COLUMN used_at BIGINT;

ALTER TABLE people ADD COLUMN factor BYTEA;                          -- sealed with the hub's key; empty: there is none
ALTER TABLE people ADD COLUMN factor_used BIGINT NOT NULL DEFAULT 0; -- the period of the last code that was taken
