-- What of a whole tenant is not read yet: entries_named is of one scope.
CREATE INDEX entries_named_in_tenant ON entries (tenant, named);
