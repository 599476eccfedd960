-- Orders wait for the limits of their CA, and waiting names are served round robin between tenants.

alter table issuance_budget
  -- Until then the CA takes nothing that this row limits: it said so, or it did not answer.
  add column held_until timestamptz,
  add column held_for text check (held_for in ('ca_rate_limited', 'ca_unavailable')),
  -- Attempts in a row that the CA did not answer.
  add column outages int not null default 0,
  -- Of a CA's orders the turn that was served last, of a tenant there its next one.
  add column turn bigint not null default 0;

alter table certificates
  -- The row of the budget that the name waits for, and its turn there.
  add column waits_for text,
  add column turn bigint,
  -- The CA that CAA allows, when it is not the first one.
  add column preferred_issuer text;
create index certificates_waiting on certificates (waits_for, turn, hostname) where waits_for is not null;
-- The names without a certificate are claimed round robin between tenants.
create index certificates_first_due on certificates (tenant_id, due_at)
  where chain is null and due_at is not null;

-- CAA may name the account (RFC 8657 §3).
grant select (directory, url) on acme_accounts to mooring_api, mooring_worker;

-- As before, with the time of the next attempt for the certificate.
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
        c.may_use_credentials, c.desired_records, c.observed_records, c.phase_started_at, c.checks, c.misses,
        c.first_miss_at, c.last_checked_at, c.first_live_at, c.certificate_id, c.sequence, c.version,
        c.created_at, c.archived_at,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due) as row
      where c.id = any (scope.ids);
  end loop;
end $$;
