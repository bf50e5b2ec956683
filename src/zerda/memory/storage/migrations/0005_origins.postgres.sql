-- From what an entry came (a page, a tool, a file), and what was noticed about it.

ALTER TABLE entries ADD COLUMN source text COLLATE "C";
ALTER TABLE entries ADD COLUMN flags text NOT NULL DEFAULT '[]';
ALTER TABLE versions ADD COLUMN source text COLLATE "C";
ALTER TABLE versions ADD COLUMN flags text NOT NULL DEFAULT '[]';
CREATE INDEX entries_sourced ON entries (tenant_id, source) WHERE source IS NOT NULL;
