-- Desired records follow the application's template and the edge's addresses.

-- The zone that holds the hostname, which decides whether the name can be a CNAME; null until it was found.
-- The records that replace the desired ones: set while a connection is confirmed with the old ones.
alter table connections
  add column zone text,
  add column pending_records jsonb;

-- As before, with the new columns, and the time of the next attempt for the certificate.
create or replace function read_connections(tenants uuid[], environments text[], ids uuid[])
  returns table (tenant_id uuid, environment text, connection json)
  language plpgsql volatile set search_path = pg_catalog, public set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  scope record;
begin
  for scope in
    select w.tenant, w.environment, array_agg(w.id) as ids from unnest(tenants, environments, ids)
      as w (tenant, environment, id) group by w.tenant, w.environment
  loop
    perform set_config('app.tenant', scope.tenant::text, true),
            set_config('app.environment', scope.environment, true);
    return query
      select c.tenant_id, c.environment, to_json(row) from public.connections c
      left join public.certificates s on s.hostname = c.hostname and s.connection_id = c.id
      cross join lateral (select c.id, c.tenant_id, c.environment, c.application_id, c.hostname,
        c.registrable_domain, c.kind, c.setup_type, c.state, c.provider, c.batch_id, c.error_code, c.challenge,
        c.may_use_credentials, c.zone, c.desired_records,
        c.pending_records, c.observed_records, c.phase_started_at, c.checks, c.misses,
        c.first_miss_at, c.last_checked_at, c.first_live_at, c.certificate_id, c.sequence, c.version,
        c.created_at, c.archived_at,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due) as row
      where c.id = any (scope.ids);
  end loop;
end $$;
