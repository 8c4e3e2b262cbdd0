-- A payment may be given back in parts: one row a reversal that was begun. The amounts of those made never exceed the payment's.
CREATE TABLE ledger_reversal (
  attempt     INTEGER NOT NULL,
  reversal    INTEGER NOT NULL, -- the 2 of 17-r2
  reversal_id TEXT NOT NULL,    -- the caller's own; '' has none
  amount      TEXT NOT NULL,
  number      INTEGER NOT NULL, -- 0: kept by a version without
  nsu         TEXT NOT NULL,
  token       TEXT NOT NULL,
  reversed_at TEXT,             -- NULL: it was not made, or not yet
  PRIMARY KEY (attempt, reversal)
) STRICT, WITHOUT ROWID;

-- Until now all reversals of a payment were of its whole amount, and all that was kept of those before the newest is that they were not made.
WITH RECURSIVE begun (attempt, reversal, last) AS (
  SELECT id, 1, reversals FROM ledger WHERE reversals > 0
  UNION ALL SELECT attempt, reversal + 1, last FROM begun WHERE reversal < last
)
INSERT INTO ledger_reversal
SELECT id, reversal, '', amount,
  iif(reversal = last, reversal_number, 0), iif(reversal = last, coalesce(reversal_nsu, ''), ''), iif(reversal = last, coalesce(reversal_token, ''), ''),
  iif(reversal = last AND state = 'reversed', coalesce(reversed_at, updated_at), NULL)
FROM begun JOIN ledger ON id = attempt;

-- The ledger anew: without what is in the rows above, and with the state 'returned'.
CREATE TABLE attempt (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  acquirer            TEXT NOT NULL, -- the way it went; '' before it was sent
  reference           TEXT,
  method              TEXT NOT NULL,
  amount              TEXT NOT NULL,
  installments        INTEGER NOT NULL,
  plan                TEXT NOT NULL,
  extra               TEXT,
  state               TEXT NOT NULL CHECK (state IN ('begun', 'sent', 'approved', 'confirmed', 'refused', 'cancelled',
                        'unknown', 'undoing', 'undone', 'reversing', 'returned', 'reversed')),
  unacknowledged      INTEGER NOT NULL,
  status              TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'refused', 'cancelled', 'reversed')),
  message             TEXT NOT NULL,
  nsu                 TEXT NOT NULL,
  authorization       TEXT NOT NULL,
  brand               TEXT NOT NULL,
  acquirer_cnpj       TEXT NOT NULL,
  tx_id               TEXT NOT NULL,
  end_to_end_id       TEXT NOT NULL,
  paid_with           TEXT NOT NULL,
  agreed_installments INTEGER NOT NULL,
  acquirer_token      TEXT NOT NULL,
  customer_receipt    TEXT NOT NULL,
  merchant_receipt    TEXT NOT NULL,
  reversals           INTEGER NOT NULL, -- how many rows it has in ledger_reversal: most have none, and need no look there
  created_at          TEXT NOT NULL,
  updated_at          TEXT NOT NULL,
  number              INTEGER NOT NULL, -- of the payment, for acquirers that know operations by one; 0: kept by a version without
  in_doubt            INTEGER NOT NULL  -- it was open when the ledger lost its newest steps: a person has to say what became of it
) STRICT;

-- Ids are never used again, not even those of attempts that were lost or never kept.
INSERT INTO sqlite_sequence (name, seq) SELECT 'attempt', seq FROM sqlite_sequence WHERE name = 'ledger';

INSERT INTO attempt
SELECT id, acquirer, reference, method, amount, installments, plan, extra, state, unacknowledged, status, message, nsu, authorization, brand,
  acquirer_cnpj, tx_id, end_to_end_id, paid_with, agreed_installments, acquirer_token, customer_receipt, merchant_receipt, reversals, created_at,
  updated_at, number, in_doubt
FROM ledger;

DROP TABLE ledger;
ALTER TABLE attempt RENAME TO ledger;

CREATE INDEX ledger_reference ON ledger (reference, id) WHERE reference IS NOT NULL;
CREATE INDEX ledger_unresolved ON ledger (id) WHERE status = 'pending' OR unacknowledged;
CREATE INDEX ledger_number ON ledger (number);
CREATE INDEX ledger_reversal_number ON ledger_reversal (number);
CREATE INDEX ledger_reversal_at ON ledger_reversal (reversed_at) WHERE reversed_at IS NOT NULL;
