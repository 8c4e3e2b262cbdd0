-- Where terminals belonged before they were moved: what was recorded until then stays there, also when it is read later. Where one belongs now
-- is in its own row. Moves of before are in the audit log: a line has the place of then, and the next one of the same terminal another.

CREATE TABLE moves (
    terminal_id TEXT NOT NULL,
    moved_at    BIGINT NOT NULL,
    account_id  TEXT NOT NULL, -- what it left
    tenant_id   TEXT NOT NULL,
    shop_id     TEXT NOT NULL,
    PRIMARY KEY (terminal_id, moved_at)
);
INSERT INTO moves (terminal_id, moved_at, account_id, tenant_id, shop_id)
    SELECT c.target, c.at, p.account_id, p.tenant_id, p.shop_id FROM changes AS c
    JOIN changes AS p ON p.target = c.target AND p.number = (SELECT max(q.number) FROM changes AS q WHERE q.target = c.target AND q.number < c.number)
    WHERE c.target IN (SELECT id FROM terminals) AND p.shop_id <> c.shop_id AND p.shop_id <> '' AND c.shop_id <> ''
    ON CONFLICT (terminal_id, moved_at) DO NOTHING;
