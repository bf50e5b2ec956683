-- When each tenant's upkeep was last begun.
ALTER TABLE tenants ADD COLUMN tended_at INTEGER;
CREATE INDEX tenants_tended ON tenants (tended_at, tenant_id);
