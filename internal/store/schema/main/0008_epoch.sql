-- Which history this is. Whoever reads it elsewhere knows its lines by epoch and number: a file that begins anew has another epoch,
-- and so has a copy that was put back, whose next lines have numbers that others had before. The newest row is the epoch of now.
CREATE TABLE epoch (
  number    INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE, -- a UUID
  ledger    INTEGER NOT NULL,     -- the last line of the ledger's history when it began
  log       INTEGER NOT NULL,     -- the last entry of the log then
  same      INTEGER NOT NULL,     -- 1: up to there all is the same as in the epoch before
  begun_at  TEXT NOT NULL,
  mark      TEXT NOT NULL,        -- the file beside the database as the system knows it, see store/epoch.go; '': unknown
  next_mark TEXT NOT NULL         -- the one that takes its place at this start
) STRICT;
