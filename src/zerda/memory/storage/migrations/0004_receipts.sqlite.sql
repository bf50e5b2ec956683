-- The receipt of an erasure lies where the erasure was done, so that both are done in one transaction.

-- counts is JSON; digest stands for the ids. complete is 0 while erased bytes may lie in the WAL.
CREATE TABLE receipts (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  what TEXT NOT NULL,
  at INTEGER NOT NULL,
  counts TEXT NOT NULL,
  digest TEXT NOT NULL,
  complete INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) WITHOUT ROWID;

-- Keys of the digests of tombstones that came from another memory.
CREATE TABLE tombstone_keys (
  tenant_id TEXT NOT NULL,
  key BLOB NOT NULL,
  PRIMARY KEY (tenant_id, key)
) WITHOUT ROWID;
INSERT INTO tombstone_keys (tenant_id, key)
  SELECT DISTINCT t.tenant_id, m.value FROM tombstones t CROSS JOIN meta m ON m.name = 'secret';

-- Whose entry it was: a keyed digest of the user, so that nobody else takes the erasure back.
ALTER TABLE tombstones ADD COLUMN owner BLOB;
