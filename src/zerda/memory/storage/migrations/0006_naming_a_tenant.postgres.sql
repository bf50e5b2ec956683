-- What of a whole tenant, or of one scope, is not read yet, oldest first.
CREATE INDEX entries_named_in_tenant ON entries (tenant_id, named, seq);
DROP INDEX entries_named;
CREATE INDEX entries_named ON entries (tenant_id, visible, named, seq);
