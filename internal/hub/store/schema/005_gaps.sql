-- Gaps are listed by pages, newest first, as transactions and entries are.

CREATE INDEX gaps_by_time ON gaps (account_id, found_at, terminal_id, epoch, kind, first_number);
CREATE INDEX gaps_of ON gaps (terminal_id, found_at, epoch, kind, first_number);
