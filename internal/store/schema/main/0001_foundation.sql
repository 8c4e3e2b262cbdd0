-- Decimals and times are text: exact, and readable with any SQLite tool.

CREATE TABLE sale (
  number            INTEGER PRIMARY KEY,
  state             TEXT NOT NULL CHECK (state IN ('open', 'finalized', 'cancelled')),
  opened_at         TEXT NOT NULL,
  closed_at         TEXT,
  customer_document TEXT,
  customer_name     TEXT,
  seller_name       TEXT,
  additional_info   TEXT
) STRICT;

CREATE UNIQUE INDEX one_open_sale ON sale (state) WHERE state = 'open';

-- Items and payments of a sale. The place is the sale's number × 2^32 + the line's own, so a new line always goes
-- at the end of the table; the line itself is one JSON text. Both make a scanned item cost a fraction of what a
-- column for each field does: sqlite> SELECT line->>'description' FROM item WHERE place >> 32 = 7;
CREATE TABLE item (
  place INTEGER PRIMARY KEY,
  line  TEXT NOT NULL
) STRICT;

CREATE TABLE payment (
  place INTEGER PRIMARY KEY,
  line  TEXT NOT NULL
) STRICT;

-- One row an attempt to move money; a reference means its newest attempt.
CREATE TABLE ledger (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  reference        TEXT,
  method           TEXT NOT NULL,
  amount           TEXT NOT NULL,
  installments     INTEGER NOT NULL,
  plan             TEXT NOT NULL,
  extra            TEXT,
  phase            TEXT NOT NULL CHECK (phase IN ('paying', 'paid', 'reversing', 'reversed', 'failed')),
  status           TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'refused', 'cancelled', 'reversed')),
  message          TEXT NOT NULL,
  nsu              TEXT NOT NULL,
  authorization    TEXT NOT NULL,
  brand            TEXT NOT NULL,
  acquirer_cnpj    TEXT NOT NULL,
  tx_id            TEXT NOT NULL,
  end_to_end_id    TEXT NOT NULL,
  paid_with        TEXT NOT NULL,
  customer_receipt TEXT NOT NULL,
  merchant_receipt TEXT NOT NULL,
  reversal_nsu     TEXT,
  reversed_at      TEXT,
  reversals        INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
) STRICT;

CREATE INDEX ledger_reference ON ledger (reference, id) WHERE reference IS NOT NULL;
CREATE INDEX ledger_pending ON ledger (id) WHERE status = 'pending';

-- Small things there is one of, such as the credentials.
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
