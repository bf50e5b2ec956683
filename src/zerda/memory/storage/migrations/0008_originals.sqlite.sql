-- What placeholders of a version stand for, where a memory is to give it back; only encrypted files have rows.
CREATE TABLE originals (
  entry INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  placeholder TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (entry, version, placeholder)
) WITHOUT ROWID;
