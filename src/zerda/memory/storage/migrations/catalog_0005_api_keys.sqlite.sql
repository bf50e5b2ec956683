-- Keys for programs that call a server: what stands for their secrets, and whose memory they open.

-- digest is a hash of 256 random bits; the secret itself is kept nowhere. principal acts for user_id.
-- sealed are user_id, principal, name and by for whoever holds the encryption key, where names are hidden,
-- and the tenant: a key is asked about before it is known whose it is.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  digest BLOB NOT NULL,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  principal TEXT NOT NULL,
  role TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER,
  revoked_at INTEGER,
  by TEXT,
  sealed BLOB
) WITHOUT ROWID;
CREATE INDEX api_keys_tenant ON api_keys (tenant_id, at);
