-- One row: the id the next study gets, and a checksum over it and the names of all studies.
CREATE TABLE store (one INTEGER PRIMARY KEY, next INTEGER NOT NULL, checksum BLOB NOT NULL) STRICT;
-- Head is the checksum of a study's last event: a lost tail does not go unnoticed.
CREATE TABLE studies (
    name TEXT NOT NULL PRIMARY KEY,
    id INTEGER NOT NULL,
    length INTEGER NOT NULL,
    head BLOB NOT NULL
) STRICT, WITHOUT ROWID;
-- Only ever appended to. Chain is the checksum of this event and all before it.
CREATE TABLE events (
    study INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    chain BLOB NOT NULL,
    PRIMARY KEY (study, position)
) STRICT, WITHOUT ROWID;
