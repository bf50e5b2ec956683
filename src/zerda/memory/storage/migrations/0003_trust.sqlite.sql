-- What was done by whom, what was erased (as keyed digests), and the secret of both.

-- Actor, subject and objects are keyed digests; each mac seals its row with the mac before.
CREATE TABLE audit (
  tenant_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  subject TEXT NOT NULL,
  action TEXT NOT NULL,
  result TEXT NOT NULL,
  count INTEGER NOT NULL,
  objects BLOB NOT NULL,
  mac BLOB NOT NULL,
  PRIMARY KEY (tenant_id, number)
) WITHOUT ROWID;

-- The digests of ids and of contents that were erased; an id's row names the digest of its content.
CREATE TABLE tombstones (
  tenant_id TEXT NOT NULL,
  digest BLOB NOT NULL,
  content BLOB,
  receipt TEXT NOT NULL,
  PRIMARY KEY (tenant_id, digest)
) WITHOUT ROWID;
CREATE INDEX tombstones_receipt ON tombstones (receipt);

-- What came of other entries is erased with them.
CREATE INDEX entries_derived ON entries (tenant) WHERE sources <> '[]';
CREATE INDEX versions_derived ON versions (entry) WHERE sources <> '[]';

INSERT INTO meta (name, value) VALUES ('secret', randomblob(32));
