-- From what an entry came (a page, a tool, a file), and what was noticed about it.

ALTER TABLE entries ADD COLUMN source TEXT;
ALTER TABLE entries ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE versions ADD COLUMN source TEXT;
ALTER TABLE versions ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';
CREATE INDEX entries_sourced ON entries (tenant, source) WHERE source IS NOT NULL;
