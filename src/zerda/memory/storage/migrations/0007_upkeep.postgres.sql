-- When each tenant's upkeep was last begun: who begins it locks the row, and others pass it by.
ALTER TABLE tenants ADD COLUMN tended_at timestamptz;
CREATE INDEX tenants_tended ON tenants (tended_at NULLS FIRST, tenant_id);
