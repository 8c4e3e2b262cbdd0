-- Events and lines of the audit log have a number of the account's and one of the customer's: nobody is to see by the numbers how busy others are.
-- What has a number keeps it. Each account and customer that is there counts on from the last of all: who reads on from a number misses nothing.

CREATE TABLE place_numbers (
    kind  TEXT NOT NULL, -- events or changes
    place TEXT NOT NULL, -- the id of an account or a tenant
    last  BIGINT NOT NULL,
    PRIMARY KEY (kind, place)
);
INSERT INTO place_numbers (kind, place, last) SELECT 'events', a.id, n.last FROM accounts AS a, event_number AS n;
INSERT INTO place_numbers (kind, place, last) SELECT 'events', t.id, n.last FROM tenants AS t, event_number AS n;
INSERT INTO place_numbers (kind, place, last) SELECT 'changes', a.id, n.last FROM accounts AS a, change_number AS n;
INSERT INTO place_numbers (kind, place, last) SELECT 'changes', t.id, n.last FROM tenants AS t, change_number AS n;

ALTER TABLE events ADD COLUMN account_number BIGINT;
ALTER TABLE events ADD COLUMN tenant_number BIGINT;
UPDATE events SET account_number = number, tenant_number = number;
DROP INDEX events_of;
CREATE INDEX events_of_account ON events (account_id, account_number);
CREATE INDEX events_of_tenant ON events (tenant_id, tenant_number);

ALTER TABLE changes ADD COLUMN account_number BIGINT;
ALTER TABLE changes ADD COLUMN tenant_number BIGINT;
UPDATE changes SET account_number = number, tenant_number = number;
