-- What entries name: read from their words by a rule, and so derived; the texts are JSON in ASCII.

-- The rule that read the entry; '' where none has.
ALTER TABLE entries ADD COLUMN named TEXT NOT NULL DEFAULT '';
CREATE INDEX entries_named ON entries (visible, named);

-- key is what spellings of one name share; weight tells how sure the type is.
CREATE TABLE mentions (
  entry INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  count INTEGER NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (entry, key)
) WITHOUT ROWID;
CREATE INDEX mentions_key ON mentions (key);

-- subject and object are keys of mentions of the same entry.
CREATE TABLE ties (
  entry INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  relation TEXT NOT NULL,
  object TEXT NOT NULL,
  PRIMARY KEY (entry, subject, relation, object)
) WITHOUT ROWID;
CREATE INDEX ties_subject ON ties (subject);
CREATE INDEX ties_object ON ties (object);
