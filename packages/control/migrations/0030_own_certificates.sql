-- Certificates that tenants bring themselves.
set local lock_timeout = '5s';
alter table certificates
  -- Whose the served certificate is: obtained from a CA, the tenant's own, or that of another edge.
  add column source text not null default 'automatic',
  -- SHA-256 of the served certificate, in lower-case hexadecimal; null where it is not known.
  add column fingerprint text;
alter table certificates
  add constraint certificates_source_check check (source in ('automatic', 'own', 'external')) not valid;
alter table certificates validate constraint certificates_source_check;
update certificates set source = 'external' where issuer = 'external';

-- As before, with the new columns of the certificate.
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
      cross join lateral (select c.*,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due, s.source as certificate_source,
        s.fingerprint as certificate_fingerprint) as row
      where c.id = any (scope.ids);
  end loop;
end $$;
