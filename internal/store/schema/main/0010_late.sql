-- Money that came in on a payment after its end, and whether it went back, as JSON. Empty: none came.
ALTER TABLE ledger ADD COLUMN late TEXT NOT NULL DEFAULT '';
