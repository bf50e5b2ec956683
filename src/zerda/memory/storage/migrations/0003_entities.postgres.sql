-- What entries name: read from their words by a rule, and so derived; the texts are JSON in ASCII.

-- The rule that read the entry; '' where none has.
ALTER TABLE entries ADD COLUMN named text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX entries_named ON entries (tenant_id, visible, named);

-- key is what spellings of one name share; weight tells how sure the type is.
CREATE TABLE mentions (
  tenant_id text COLLATE "C" NOT NULL,
  entry bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  weight double precision NOT NULL,
  PRIMARY KEY (tenant_id, entry, key),
  FOREIGN KEY (tenant_id, entry) REFERENCES entries (tenant_id, seq) ON DELETE CASCADE
);
CREATE INDEX mentions_key ON mentions (tenant_id, key);

-- subject and object are keys of mentions of the same entry.
CREATE TABLE ties (
  tenant_id text COLLATE "C" NOT NULL,
  entry bigint NOT NULL,
  subject text COLLATE "C" NOT NULL,
  relation text COLLATE "C" NOT NULL,
  object text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, entry, subject, relation, object),
  FOREIGN KEY (tenant_id, entry) REFERENCES entries (tenant_id, seq) ON DELETE CASCADE
);
CREATE INDEX ties_subject ON ties (tenant_id, subject);
CREATE INDEX ties_object ON ties (tenant_id, object);

ALTER TABLE mentions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON mentions USING (tenant_id = (SELECT zerda_tenant()));
ALTER TABLE ties ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON ties USING (tenant_id = (SELECT zerda_tenant()));
