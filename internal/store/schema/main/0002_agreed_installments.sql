-- What the person agreed on at the terminal where the caller left it open; 0: as requested.
ALTER TABLE ledger ADD COLUMN agreed_installments INTEGER NOT NULL DEFAULT 0;
