-- Discounts and additions of the whole sale, kept as items and payments are.
CREATE TABLE discount (
  place INTEGER PRIMARY KEY,
  line  TEXT NOT NULL
) STRICT;

CREATE TABLE addition (
  place INTEGER PRIMARY KEY,
  line  TEXT NOT NULL
) STRICT;

-- The total that the caller wants on the screen.
ALTER TABLE sale ADD COLUMN total TEXT;

-- The ledger's newest attempt when the sale was opened, and when it ended: those between were made meanwhile, whatever the clock
-- did. NULL: a version without has opened it.
ALTER TABLE sale ADD COLUMN attempt_before INTEGER;
ALTER TABLE sale ADD COLUMN attempt_last INTEGER;
