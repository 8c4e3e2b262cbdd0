-- Of a terminal that left and joined again the whole disk may be set back: what was read of one epoch, under whatever id, is one history.

-- When the terminal made the record of that number. It may be kept under another id than the cursor's.
ALTER TABLE cursors ADD COLUMN recorded BIGINT;
UPDATE cursors SET recorded = CASE WHEN kind = 'ledger'
    THEN (SELECT max(s.at) FROM steps AS s WHERE s.epoch = cursors.epoch AND s.number = cursors.number AND s.terminal_id IN (SELECT c.terminal_id
        FROM cursors AS c WHERE c.epoch = cursors.epoch AND c.kind = cursors.kind AND c.account_id = cursors.account_id))
    ELSE (SELECT e.at FROM entries AS e WHERE e.terminal_id = cursors.terminal_id AND e.epoch = cursors.epoch AND e.id = cursors.number) END;

CREATE INDEX origins_by_origin ON origins (origin, kind);
