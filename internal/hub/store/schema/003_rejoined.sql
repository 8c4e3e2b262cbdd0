-- A terminal that left and joined again has another id and the same data: what was read of an epoch is looked for under all ids.

CREATE INDEX cursors_by_epoch ON cursors (epoch, kind);
