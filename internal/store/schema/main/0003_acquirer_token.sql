-- What the acquirer needs to confirm, undo or reverse an operation; its own words.
ALTER TABLE ledger ADD COLUMN acquirer_token TEXT NOT NULL DEFAULT '';
