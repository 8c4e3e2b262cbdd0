-- Operations have numbers that follow the clock, for acquirers that know them by a number alone; 0: kept by a version without.
ALTER TABLE ledger ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN reversal_number INTEGER NOT NULL DEFAULT 0;

CREATE INDEX ledger_number ON ledger (number);
CREATE INDEX ledger_reversal_number ON ledger (reversal_number);

-- It was open when the ledger lost its newest steps: a person has to say what became of it.
ALTER TABLE ledger ADD COLUMN in_doubt INTEGER NOT NULL DEFAULT 0;
