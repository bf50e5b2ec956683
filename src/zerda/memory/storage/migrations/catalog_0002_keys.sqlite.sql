-- Which key a tenant's file has, and which file is about to take the place of which; see rekeying.py.

-- key is the version of the file's key, 0 for a plain file. made is 1 once the file was written: from then
-- on a missing one is a loss. sealed is the tenant's id for whoever holds the key, where it is hidden.
ALTER TABLE tenants ADD COLUMN key INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN sealed BLOB;

-- Versions are never used twice, so that neither key nor file name is.
CREATE TABLE keys (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  wrapped BLOB NOT NULL
);
CREATE INDEX keys_tenant ON keys (tenant_id);

-- old is given up for file; without a file the tenant is being destroyed.
CREATE TABLE replacing (
  tenant_id TEXT PRIMARY KEY,
  old TEXT NOT NULL,
  old_key INTEGER NOT NULL,
  file TEXT NOT NULL,
  key INTEGER NOT NULL
) WITHOUT ROWID;
