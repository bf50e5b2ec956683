-- Keys of the digests of tombstones that came from another memory.

CREATE TABLE tombstone_keys (
  tenant_id text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
ALTER TABLE tombstone_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON tombstone_keys USING (tenant_id = (SELECT zerda_tenant()));
INSERT INTO tombstone_keys (tenant_id, key)
  SELECT DISTINCT t.tenant_id, decode(m.value, 'hex') FROM tombstones t CROSS JOIN meta m WHERE m.name = 'secret';

-- Whose entry it was: a keyed digest of the user, so that nobody else takes the erasure back.
ALTER TABLE tombstones ADD COLUMN owner bytea;
