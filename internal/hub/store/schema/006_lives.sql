-- What was given back counts in whichever epoch it was read, once.

ALTER TABLE returns ADD COLUMN nsu TEXT NOT NULL DEFAULT '';
ALTER TABLE returns ADD COLUMN again BOOLEAN NOT NULL DEFAULT FALSE; -- another epoch has the same one
UPDATE returns SET again = TRUE
WHERE EXISTS (SELECT 1 FROM transactions AS t
    WHERE t.terminal_id = returns.terminal_id AND t.epoch = returns.epoch AND t.attempt = returns.attempt AND t.superseded
        AND EXISTS (SELECT 1 FROM returns AS r
            JOIN transactions AS x ON x.terminal_id = r.terminal_id AND x.epoch = r.epoch AND x.attempt = r.attempt
            WHERE x.terminal_id = t.terminal_id AND x.attempt = t.attempt AND x.created_at = t.created_at AND x.epoch <> t.epoch
                AND r.at = returns.at AND r.amount = returns.amount AND (NOT x.superseded OR x.epoch < t.epoch)));
