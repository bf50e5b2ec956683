-- Grants with an end and delegations, receipts of erasures, and the audit of what concerns access.

-- on_behalf_of is '' where the principal acts for itself. A revocation leaves a row (held 0).
-- sealed are principal, on_behalf_of and by for whoever holds the key, where names are hidden.
CREATE TABLE grants (
  tenant_id TEXT NOT NULL,
  principal TEXT NOT NULL,
  on_behalf_of TEXT NOT NULL,
  role TEXT NOT NULL,
  held INTEGER NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER,
  by TEXT,
  sealed BLOB,
  PRIMARY KEY (tenant_id, principal, on_behalf_of, role)
) WITHOUT ROWID;
INSERT INTO grants (tenant_id, principal, on_behalf_of, role, held, at)
  SELECT tenant_id, user_id, '', role, held, at FROM roles;
DROP TABLE roles;

-- counts is JSON; digest stands for the ids. complete is 0 while erased bytes may lie in a WAL.
CREATE TABLE receipts (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  what TEXT NOT NULL,
  at INTEGER NOT NULL,
  counts TEXT NOT NULL,
  digest TEXT NOT NULL,
  complete INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX receipts_tenant ON receipts (tenant_id, at);

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

INSERT INTO meta (name, value) VALUES ('secret', lower(hex(randomblob(32))));
