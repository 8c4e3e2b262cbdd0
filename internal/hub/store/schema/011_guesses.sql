-- Wrong codes of a second factor are counted here, so that several hubs together take no more of them than one does.

ALTER TABLE people ADD COLUMN factor_tries BIGINT NOT NULL DEFAULT 0; -- codes that were looked at, but for those that were right
ALTER TABLE people ADD COLUMN factor_tries_since BIGINT;              -- when the first of them was
