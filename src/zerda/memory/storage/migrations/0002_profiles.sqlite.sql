-- Profiles with the evidence of what was learnt, why an entry was archived, and a count of clears.

CREATE TABLE profiles (
  code INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  interactions INTEGER NOT NULL,
  sessions INTEGER NOT NULL,
  last_session TEXT,
  query_words INTEGER NOT NULL,
  importance_sum REAL NOT NULL,
  retention_boost REAL NOT NULL,
  first_at INTEGER,
  last_at INTEGER,
  UNIQUE (tenant_id, user_id)
);

-- What a user said explicitly; the value is JSON.
CREATE TABLE preferences (
  profile INTEGER NOT NULL REFERENCES profiles (code) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (profile, name)
) WITHOUT ROWID;

-- What was learnt; the weight is as of at, entries are the newest ids that speak for it.
CREATE TABLE learnt (
  profile INTEGER NOT NULL REFERENCES profiles (code) ON DELETE CASCADE,
  trait TEXT NOT NULL,
  value TEXT NOT NULL,
  weight REAL NOT NULL,
  counted INTEGER NOT NULL,
  at INTEGER NOT NULL,
  entries TEXT NOT NULL,
  PRIMARY KEY (profile, trait, value)
) WITHOUT ROWID;

CREATE TABLE generations (tenant_id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;

ALTER TABLE entries ADD COLUMN archived_because TEXT;
CREATE INDEX entries_archived ON entries (tenant, archived_at) WHERE archived_at IS NOT NULL;
CREATE INDEX entries_expiring ON entries (tenant, expires_at) WHERE expires_at IS NOT NULL;
