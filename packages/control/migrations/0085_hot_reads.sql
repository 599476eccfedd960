-- Workers count the days that have ended, so that the first summary of a day finds them stored.
grant insert on connection_days to mooring_worker;

-- As before, with the columns that are read instead of all: making JSON of each costs more than reading its row.
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
      select c.tenant_id, c.environment, to_json(row) from unnest(scope.ids) as wanted (id)
        cross join lateral (select * from public.connections i where i.id = wanted.id limit 1) c
      left join public.certificates s on s.hostname = c.hostname and s.connection_id = c.id
      left join lateral (select k.last_checked_at, k.observed_at from public.connection_checks k
        where k.connection_id = c.id and k.tenant_id = scope.tenant offset 0) k on true
      cross join lateral (select c.id, c.tenant_id, c.environment, c.application_id, c.hostname, c.kind, c.setup_type,
        c.state, c.provider, c.batch_id, c.error_code, c.phase_started_at, c.contest_since, c.contest_deadline,
        c.redirect_to, c.origin_url, c.origin_host_header, c.customer_ref, c.cutover, c.created_at, c.edge,
        c.registrable_domain, c.challenge, c.may_use_credentials, c.zone, c.desired_records, c.pending_records,
        c.observed_records, c.checks, c.misses, c.first_miss_at, c.validation_label, c.validation_status,
        c.target_label, c.points_to_target, c.ownership_method, c.ownership_proven_at, c.front, c.last_checked_at,
        c.first_live_at, c.certificate_id, c.sequence, c.version, c.archived_at,
        k.last_checked_at as checked_at, k.observed_at,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due, s.source as certificate_source,
        s.fingerprint as certificate_fingerprint) as row;
  end loop;
end $$;
