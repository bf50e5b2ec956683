-- The first layout of zerda.db: which tenants there are, who may do what, which embedder. No content.

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- folded is the file's name without case: two tenants share no file where case does not count either.
CREATE TABLE tenants (
  tenant_id TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE
) WITHOUT ROWID;

CREATE TABLE roles (
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  role TEXT NOT NULL,
  held INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role)
) WITHOUT ROWID;

INSERT INTO meta (name, value) VALUES ('store_id', lower(hex(randomblob(16))));
