-- What people did in an acquirer's own menu, such as TEF's ADM: each from before anything left until nothing is left of it. One that gave a
-- payment back is that payment's reversal of the same number.
CREATE TABLE ledger_administration (
  number   INTEGER PRIMARY KEY, -- of the operation, among those of ledger and ledger_reversal
  acquirer TEXT NOT NULL,       -- the way, as in ledger
  state    TEXT NOT NULL,       -- sent, decided or done
  token    TEXT NOT NULL,       -- the acquirer's own; empty: nothing was decided on
  since    TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_administration_open ON ledger_administration (number) WHERE state <> 'done';
