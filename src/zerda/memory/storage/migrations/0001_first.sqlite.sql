-- The first layout: entries once, their passages beside them, words and vectors as derived data.

CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

-- Who may see a thing: a user's own (shared 0; user '' is nobody's), or all of the tenant (shared 1).
-- The tenant's shared row names the tenant. Counts are of live passages, kept in each transaction.
CREATE TABLE scopes (
  code INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  shared INTEGER NOT NULL,
  passages INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant_id, user_id, shared)
);

-- derived is 1 where we named it; current is 1 for the derived session that an entry without one may join.
CREATE TABLE sessions (
  code INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL REFERENCES scopes (code),
  owner INTEGER NOT NULL REFERENCES scopes (code),
  session_id TEXT NOT NULL,
  derived INTEGER NOT NULL,
  current INTEGER NOT NULL,
  next_position INTEGER NOT NULL,
  UNIQUE (owner, session_id)
);
CREATE INDEX sessions_current ON sessions (owner) WHERE current = 1;
CREATE INDEX sessions_named ON sessions (tenant, session_id);

-- Times are microseconds since 1970 in UTC. Lists and mappings are JSON in ASCII.
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL REFERENCES scopes (code),
  owner INTEGER NOT NULL REFERENCES scopes (code),
  visible INTEGER NOT NULL REFERENCES scopes (code),
  session INTEGER NOT NULL REFERENCES sessions (code),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  importance REAL NOT NULL,
  tags TEXT NOT NULL,
  topics TEXT NOT NULL,
  metadata TEXT NOT NULL,
  speaker TEXT,
  origin TEXT NOT NULL,
  sources TEXT NOT NULL,
  trust TEXT NOT NULL,
  masked TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  promoted_at INTEGER,
  archived_at INTEGER,
  expires_at INTEGER,
  pinned INTEGER NOT NULL,
  access_count INTEGER NOT NULL,
  last_access INTEGER,
  UNIQUE (tenant, id)
);
CREATE INDEX entries_tenant ON entries (tenant);
CREATE INDEX entries_owner ON entries (owner);
CREATE INDEX entries_visible ON entries (visible);
CREATE INDEX entries_important ON entries (visible, importance);
CREATE INDEX entries_occurred ON entries (visible, occurred_at);
CREATE INDEX entries_speaker ON entries (visible, speaker) WHERE archived_at IS NULL AND speaker IS NOT NULL;
CREATE INDEX entries_session ON entries (session);

CREATE TABLE versions (
  entry INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  visible INTEGER NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  importance REAL NOT NULL,
  tags TEXT NOT NULL,
  topics TEXT NOT NULL,
  metadata TEXT NOT NULL,
  speaker TEXT,
  origin TEXT NOT NULL,
  sources TEXT NOT NULL,
  trust TEXT NOT NULL,
  masked TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  PRIMARY KEY (entry, version)
) WITHOUT ROWID;

-- A passage's text is characters start_at to end_at of its part of the content; it is not kept twice.
-- live is 0 while its entry is archived; embedded is the fingerprint code of its vector, 0 without one.
CREATE TABLE passages (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  entry INTEGER NOT NULL REFERENCES entries (seq),
  scope INTEGER NOT NULL REFERENCES scopes (code),
  live INTEGER NOT NULL,
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  role TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  language TEXT,
  question INTEGER NOT NULL,
  times TEXT NOT NULL,
  length INTEGER NOT NULL,
  tokens TEXT NOT NULL,
  embedded INTEGER NOT NULL
);
CREATE INDEX passages_entry ON passages (entry);
CREATE INDEX passages_session ON passages (session, position);
CREATE INDEX passages_embedded ON passages (scope, embedded, entry) WHERE live = 1;

-- Tokens are final and carry who may see them, and whether they are archived; so the tokenizer only cuts at spaces: "ascii"
-- takes every character beyond ASCII as part of a word and depends on no table of Unicode's.
CREATE VIRTUAL TABLE words USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE word_counts USING fts5vocab(words, row);

CREATE TABLE fingerprints (
  code INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
);

-- The truth of vectors: float16, little-endian. scope is that of the passage, negative while it is archived.
-- change rises with every commit that touches vectors, so that a copy in memory knows what it missed.
CREATE TABLE vectors (
  key INTEGER PRIMARY KEY REFERENCES passages (key),
  fingerprint INTEGER NOT NULL REFERENCES fingerprints (code),
  scope INTEGER NOT NULL,
  change INTEGER NOT NULL,
  vector BLOB NOT NULL
);
CREATE INDEX vectors_change ON vectors (change);
CREATE TABLE dropped (change INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (change, key)) WITHOUT ROWID;

CREATE TABLE watermarks (
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
) WITHOUT ROWID;

INSERT INTO meta (name, value) VALUES ('change', 0), ('dropped_floor', 0);
