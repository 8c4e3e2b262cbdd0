-- Log entries, by ascending id. No index beside the key: see log_volume.
CREATE TABLE log_entry (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL, -- milliseconds since 1970
    kind    INTEGER NOT NULL, -- level and source, see logKind
    message TEXT    NOT NULL,
    details TEXT    NOT NULL  -- '' when there are none
) STRICT;

-- What each finished volume (8192 consecutive ids, in 64 chunks) holds.
CREATE TABLE log_volume (
    number INTEGER PRIMARY KEY, -- id / 8192
    width  INTEGER NOT NULL,    -- words in its signature, a power of two
    kinds  BLOB    NOT NULL,    -- for each kind, a word: the chunks that have it
    times  BLOB    NOT NULL     -- for each chunk, its earliest and its latest entry
) STRICT;

-- The signature of a volume, 500 words of 64 bits a row: a row fills a page.
CREATE TABLE log_signature (
    id    INTEGER PRIMARY KEY, -- number * 1024 + word / 500
    words BLOB NOT NULL
) STRICT;
