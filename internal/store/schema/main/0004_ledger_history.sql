-- The ledger as a state machine. What the row of an attempt says is what its last step left; the steps themselves are in
-- ledger_history, which nothing is ever changed in or deleted from.
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
                        'unknown', 'undoing', 'undone', 'reversing', 'reversed')),
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
  reversal_nsu        TEXT,
  reversal_token      TEXT,
  reversed_at         TEXT,
  reversals           INTEGER NOT NULL,
  created_at          TEXT NOT NULL,
  updated_at          TEXT NOT NULL
) STRICT;

INSERT INTO attempt
SELECT id, 'emulator', reference, method, amount, installments, plan, extra,
  CASE phase WHEN 'paid' THEN 'confirmed' WHEN 'failed' THEN status WHEN 'reversed' THEN 'reversed' ELSE 'unknown' END,
  0, status, message, nsu, authorization, brand, acquirer_cnpj, tx_id, end_to_end_id, paid_with, agreed_installments, acquirer_token,
  customer_receipt, merchant_receipt, reversal_nsu, CASE WHEN reversal_nsu IS NULL THEN NULL ELSE '' END, reversed_at, reversals,
  created_at, updated_at
FROM ledger;

-- Ids are never used again, not even those of attempts that were never kept.
UPDATE sqlite_sequence SET seq = max(seq, coalesce((SELECT old.seq FROM sqlite_sequence AS old WHERE old.name = 'ledger'), 0)) WHERE name = 'attempt';

DROP TABLE ledger;
ALTER TABLE attempt RENAME TO ledger;

CREATE INDEX ledger_reference ON ledger (reference, id) WHERE reference IS NOT NULL;
CREATE INDEX ledger_unresolved ON ledger (id) WHERE status = 'pending' OR unacknowledged;

CREATE TABLE ledger_history (
  number        INTEGER PRIMARY KEY AUTOINCREMENT,
  attempt       INTEGER NOT NULL,
  operation     TEXT NOT NULL, -- 17 is the payment, 17-r1 the first reversal of it
  state         TEXT NOT NULL,
  acquirer      TEXT NOT NULL,
  nsu           TEXT NOT NULL,
  authorization TEXT NOT NULL,
  note          TEXT NOT NULL,
  at            TEXT NOT NULL
) STRICT;

CREATE INDEX ledger_history_attempt ON ledger_history (attempt, number);

INSERT INTO ledger_history (attempt, operation, state, acquirer, nsu, authorization, note, at)
SELECT id, CASE reversals WHEN 0 THEN CAST(id AS TEXT) ELSE id || '-r' || reversals END, state, acquirer, coalesce(reversal_nsu, nsu), authorization,
  'trazida de uma versão sem histórico', updated_at
FROM ledger ORDER BY id;

CREATE TRIGGER ledger_history_unchanged BEFORE UPDATE ON ledger_history
BEGIN SELECT RAISE(ABORT, 'the history of the ledger is never changed'); END;

CREATE TRIGGER ledger_history_kept BEFORE DELETE ON ledger_history
BEGIN SELECT RAISE(ABORT, 'the history of the ledger is never deleted'); END;

CREATE TRIGGER ledger_history_appended BEFORE INSERT ON ledger_history
WHEN EXISTS (SELECT 1 FROM ledger_history WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'the history of the ledger is never replaced'); END;
