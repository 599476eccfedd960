-- no transaction
-- A deleted tenant's rows are found without reading those of all others.
create index concurrently if not exists usage_causes_by_tenant on usage_causes (tenant_id);
