-- no transaction
-- A page of events of a rare type is read from the index alone, not from all events of the tenant.
create index concurrently if not exists events_by_type
  on events (tenant_id, environment, type, created_at desc, id desc);
