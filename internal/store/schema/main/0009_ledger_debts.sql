-- What an acquirer is still to be told besides what attempts say: to undo an operation that it speaks of on its own account. The
-- words are its driver's own; a row goes once the acquirer has acknowledged it.
CREATE TABLE ledger_debt (
  number   INTEGER PRIMARY KEY,
  acquirer TEXT NOT NULL, -- the way, as in ledger
  what     TEXT NOT NULL,
  since    TEXT NOT NULL,
  UNIQUE (acquirer, what)
) STRICT;
