-- no transaction
-- What the console's lists and figures read, each from an index alone: 0040 has the columns.

insert into connection_search (connection_id, tenant_id, environment, text, created_at)
  select id, tenant_id, environment, lower(hostname), created_at from connections on conflict do nothing;
create index concurrently if not exists connection_search_page
  on connection_search (tenant_id, environment, created_at desc, connection_id desc);
create index concurrently if not exists connection_search_trigrams
  on connection_search using gin (tenant_id, environment, text gin_trgm_ops);
create index concurrently if not exists connection_search_pairs
  on connection_search using gin (tenant_id, environment, text_pairs(text));
analyze connection_search;

create index concurrently if not exists connections_by_application
  on connections (tenant_id, environment, application_id, created_at desc, id desc);
create index concurrently if not exists connections_by_error
  on connections (tenant_id, environment, error_code, created_at desc, id desc) where error_code is not null;
create index concurrently if not exists connections_by_provider
  on connections (tenant_id, environment, provider, created_at desc, id desc);
create index concurrently if not exists connections_wildcard
  on connections (tenant_id, environment, created_at desc, id desc) where left(hostname, 2) = '*.';
create index concurrently if not exists connections_stuck
  on connections (tenant_id, environment, coalesce(state_since, phase_started_at), id)
  where state <> 'archived' and (state <> 'live' or error_code is not null);
create index concurrently if not exists connections_by_finding
  on connections (tenant_id, environment) where finding is not null and state <> 'archived';
create index concurrently if not exists connections_first_live
  on connections (tenant_id, environment, first_live_at) include (created_at) where first_live_at is not null;
create index concurrently if not exists certificates_by_expiry
  on certificates (tenant_id, environment, not_after) where not_after is not null;

create index concurrently if not exists deliveries_by_tenant
  on deliveries (tenant_id, environment, created_at desc, id desc);
create index concurrently if not exists deliveries_undelivered
  on deliveries (tenant_id, environment, status, created_at desc, id desc) where status <> 'delivered';
create index concurrently if not exists deliveries_by_event on deliveries (event_id);

create index concurrently if not exists audit_log_by_subject on audit_log (tenant_id, subject, at desc, id desc);
create index concurrently if not exists audit_log_by_actor on audit_log (tenant_id, actor, at desc, id desc);
