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

-- Lines are found by place, never by the caller's id: ids are checked in memory, so that a line costs one b-tree page.
CREATE TABLE item (
  sale            INTEGER NOT NULL,
  seq             INTEGER NOT NULL,
  id              TEXT NOT NULL,
  code            TEXT NOT NULL,
  description     TEXT NOT NULL,
  canceled        INTEGER NOT NULL,
  quantity        TEXT NOT NULL,
  unit_price      TEXT NOT NULL,
  discount        TEXT,
  addition        TEXT,
  total           TEXT NOT NULL,
  additional_info TEXT,
  PRIMARY KEY (sale, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE payment (
  sale            INTEGER NOT NULL,
  seq             INTEGER NOT NULL,
  id              TEXT NOT NULL,
  type            TEXT,
  description     TEXT,
  value           TEXT NOT NULL,
  additional_info TEXT,
  PRIMARY KEY (sale, seq)
) STRICT, WITHOUT ROWID;

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
