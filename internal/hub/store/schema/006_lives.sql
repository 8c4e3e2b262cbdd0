-- What was given back counts in whichever epoch it was read, once.

ALTER TABLE returns ADD COLUMN nsu TEXT NOT NULL DEFAULT ''; -- the acquirer's number of it
ALTER TABLE returns ADD COLUMN again BOOLEAN NOT NULL DEFAULT FALSE; -- another epoch has the same one
-- Until now those of the row that stands were counted, and of old ones nobody knows whether they are the same: sums stay as they were.
UPDATE returns SET again = TRUE WHERE EXISTS (SELECT 1 FROM transactions AS t
    WHERE t.terminal_id = returns.terminal_id AND t.epoch = returns.epoch AND t.attempt = returns.attempt AND t.superseded);
