-- Keys for programs that call a server: what stands for their secrets, and whose memory they open.

-- digest is a hash of 256 random bits; the secret itself is kept nowhere. principal acts for user_id.
CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  digest bytea NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  principal text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  name text NOT NULL,
  at timestamptz NOT NULL,
  until timestamptz,
  revoked_at timestamptz,
  by text COLLATE "C"
);
CREATE INDEX api_keys_tenant ON api_keys (tenant_id, at);

-- A key is asked about before it is known whose it is, by a transaction that concerns all tenants ('*').
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON api_keys
  USING (tenant_id = (SELECT zerda_tenant()) OR (SELECT zerda_tenant()) = '*');
