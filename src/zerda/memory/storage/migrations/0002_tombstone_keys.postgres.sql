-- Keys of the digests of tombstones that came from another memory.

CREATE TABLE tombstone_keys (
  tenant_id text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
ALTER TABLE tombstone_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON tombstone_keys USING (tenant_id = (SELECT zerda_tenant()));
