-- The operator suspends a tenant: its names are served by a maintenance page, it can read and not write, and nothing is
-- lost. Or deletes it: workers archive its connections, and remove its rows after 30 days.
alter table tenants
  add column suspended_at timestamptz,
  add column suspended_reason text check (length(suspended_reason) between 1 and 500),
  -- When the operator has deleted it; workers archive from then on.
  add column deleted_at timestamptz,
  -- Until when one worker archives or removes; null or past: any may.
  add column removal_leased_until timestamptz;
create index tenants_deleted on tenants (deleted_at) where deleted_at is not null;

-- Rows about the tenant itself outlive it, until the retention of the audit log ends.
alter table audit_log drop constraint audit_log_tenant_id_fkey;

create function is_suspended(tenant tenants) returns boolean
  language sql immutable
  as $$ select tenant.suspended_at is not null or tenant.deleted_at is not null $$;

-- Edges follow applications: one row of the change log for each of the tenant, however many names it has.
create function note_tenant_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          insert into public.host_changes (application_id)
            select a.id from public.applications a where a.tenant_id = new.id;
          perform pg_notify('mooring_hosts', 'application:' || a.id)
            from public.applications a where a.tenant_id = new.id;
          return null;
        end $$;
create trigger tenant_change after update of suspended_at, deleted_at on tenants
  for each row when (is_suspended(old) <> is_suspended(new)) execute function note_tenant_change();

drop function edge_applications(uuid[]);
create function edge_applications(wanted uuid[])
  returns table (id uuid, tenant_id uuid, environment text, origin_url text, origin_host_header text,
    edge jsonb, origins jsonb, origin_tls jsonb, sealed_client_key text, suspended boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select a.id, a.tenant_id, a.environment, a.origin_url, a.origin_host_header, a.edge, a.origins,
               a.origin_tls, a.sealed_client_key, public.is_suspended(t)
        from public.applications a join public.tenants t on t.id = a.tenant_id
        where a.id = any (wanted) $$;

-- For other proxies. A name of a suspended tenant is there without an origin, too.
drop function hostname_route(text);
create function hostname_route(wanted text)
  returns table (origin_url text, origin_host_header text, suspended boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select coalesce(k.origin_url, a.origin_url), coalesce(k.origin_host_header, a.origin_host_header),
               public.is_suspended(t)
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        join public.tenants t on t.id = k.tenant_id
        where c.hostname = wanted
          and (coalesce(k.origin_url, a.origin_url) is not null or public.is_suspended(t)) $$;

drop function served_hosts(text, int);
create function served_hosts(after_name text, at_most int)
  returns table (hostname text, redirect_to text, origin_url text, origin_host_header text, suspended boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname,
          case when k.redirect_to is not null then (
            select t.hostname from public.claims h
            join only public.connections t on t.id = h.connection_id
            where h.hostname = k.redirect_to and t.application_id = k.application_id
              and t.customer_ref is not distinct from k.customer_ref
              and t.state in ('live', 'drifted')) end,
          coalesce(k.origin_url, a.origin_url), coalesce(k.origin_host_header, a.origin_host_header),
          public.is_suspended(o)
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        join public.tenants o on o.id = k.tenant_id
        where c.hostname > after_name
        order by c.hostname limit at_most $$;

-- No credential of a deleted tenant is valid, whenever it was made.
drop function find_api_keys(bytea[]);
create function find_api_keys(hashes bytea[])
  returns table (key_hash bytea, id uuid, tenant_id uuid, environment text, application_id uuid, scopes text[],
    role text, suspended boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.key_hash, k.id, k.tenant_id, k.environment, k.application_id, k.scopes, k.role,
               public.is_suspended(t)
        from public.api_keys k join public.tenants t on t.id = k.tenant_id and t.deleted_at is null
        where k.key_hash = any (hashes) and k.revoked_at is null $$;

drop function find_widget_grants(uuid[], uuid[]);
create function find_widget_grants(key_ids uuid[], application_ids uuid[])
  returns table (key_id uuid, application_id uuid, tenant_id uuid, environment text, allowed_origins text[],
    suspended boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.id, a.id, a.tenant_id, a.environment, a.allowed_origins, public.is_suspended(o)
        from unnest(key_ids, application_ids) as t (key_id, application_id)
        join public.api_keys k on k.id = t.key_id and k.revoked_at is null
        join public.applications a on a.id = t.application_id and a.deleted_at is null
          and a.tenant_id = k.tenant_id and a.environment = k.environment
        join public.tenants o on o.id = a.tenant_id and o.deleted_at is null $$;

drop function find_sessions(bytea[], timestamptz);
create function find_sessions(hashes bytea[], moment timestamptz)
  returns table (token_hash bytea, id uuid, tenant_id uuid, tenant_name text, member_id uuid, email text, name text,
    role text, created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz, suspended boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select s.token_hash, s.id, s.tenant_id, t.name, s.member_id, m.email, m.name, coalesce(m.role, s.role),
          s.created_at, s.last_seen_at, s.expires_at, coalesce(public.is_suspended(t), false)
        from public.sessions s
        left join public.members m on m.id = s.member_id
        left join public.tenants t on t.id = s.tenant_id
        where s.token_hash = any (hashes) and s.revoked_at is null and s.expires_at > moment
          and s.last_seen_at > moment - interval '12 hours' and t.deleted_at is null $$;

do $$
declare
  f text;
begin
  foreach f in array array['note_tenant_change()', 'edge_applications(uuid[])', 'hostname_route(text)',
    'served_hosts(text, int)', 'find_api_keys(bytea[])', 'find_widget_grants(uuid[], uuid[])',
    'find_sessions(bytea[], timestamptz)']
  loop
    execute format('alter function %s owner to mooring_definer', f);
    execute format('revoke execute on function %s from public', f);
  end loop;
end
$$;
grant execute on function edge_applications(uuid[]) to mooring_edge;
grant execute on function hostname_route(text), served_hosts(text, int), find_api_keys(bytea[]),
  find_widget_grants(uuid[], uuid[]), find_sessions(bytea[], timestamptz) to mooring_api;

-- Workers remove a deleted tenant, table by table. The row of the tenant goes last, and only if it is marked.
grant delete on api_keys, applications, archived_connections, check_queues, connection_checks, connection_search,
  drop_in_fields, endpoint_queue, held_hostnames, subscriptions, tenants to mooring_worker;
grant select, delete on email_setups to mooring_worker;
create policy worker on email_setups to mooring_worker using (true) with check (true);
create policy worker_removal on tenants for delete to mooring_worker using (deleted_at is not null);
