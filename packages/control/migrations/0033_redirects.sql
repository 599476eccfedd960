-- How the edge serves one hostname, where that differs from its application: a redirect to another
-- hostname of the application, or an origin of its own.
alter table connections
  add column redirect_to text,
  add column origin_url text,
  add column origin_host_header text;
alter table connections add constraint connections_origin_host_header_check
  check (origin_host_header in ('preserve', 'origin')) not valid;

-- As before, with what the connection sets. A redirect shows while its target is served.
drop function edge_claims(text, int, text[]);
create function edge_claims(after_name text, at_most int, names text[])
  returns table (hostname text, epoch bigint, environment text, connection_id uuid, application_id uuid,
    tenant_id uuid, registrable_domain text, redirect_to text, origin_url text, origin_host_header text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain,
          case when k.redirect_to is not null then (
            select t.hostname from public.claims h
            join public.connections t on t.id = h.connection_id
            where h.hostname = k.redirect_to and t.application_id = k.application_id
              and t.state in ('live', 'drifted')) end,
          k.origin_url, k.origin_host_header
        from public.claims c
        join public.connections k on k.id = c.connection_id
        where c.hostname > after_name and (names is null or c.hostname = any (names))
        order by c.hostname limit at_most $$;

alter function edge_claims(text, int, text[]) owner to mooring_definer;
revoke execute on function edge_claims(text, int, text[]) from public;
grant execute on function edge_claims(text, int, text[]) to mooring_edge;

create or replace function hostname_route(wanted text)
  returns table (origin_url text, origin_host_header text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select coalesce(k.origin_url, a.origin_url), coalesce(k.origin_host_header, a.origin_host_header)
        from public.claims c
        join public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname = wanted and coalesce(k.origin_url, a.origin_url) is not null $$;

create trigger settings_change
  after update of redirect_to, origin_url, origin_host_header on connections
  for each row when (old.redirect_to is distinct from new.redirect_to
                     or old.origin_url is distinct from new.origin_url
                     or old.origin_host_header is distinct from new.origin_host_header)
  execute function note_host_change();

-- Whoever redirects to a hostname follows when that begins or ends to be served.
create function note_target_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ declare name text;
        begin
          for name in select c.hostname from public.connections c
            where c.application_id = new.application_id and c.redirect_to = new.hostname
          loop
            insert into public.host_changes (hostname) values (name);
            perform pg_notify('mooring_hosts', name);
          end loop;
          return null;
        end $$;
alter function note_target_change() owner to mooring_definer;
revoke execute on function note_target_change() from public;

create trigger target_change
  after update of state on connections
  for each row when ((old.state in ('live', 'drifted')) <> (new.state in ('live', 'drifted')))
  execute function note_target_change();

-- As before, with the new columns of connections.
create or replace function page_connections(tenants uuid[], environments text[], states text[], hostnames text[],
    after_created_ats timestamptz[], after_ids uuid[], page_sizes int[])
  returns setof json
  language plpgsql volatile set search_path = pg_catalog, public set plan_cache_mode = force_generic_plan
  as $$
declare
  w record;
  page json;
begin
  for w in
    select r.tenant, r.environment, r.state, r.hostname, coalesce(r.created_at, 'infinity') as before_at,
      coalesce(r.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as before_id, r.page_size
    from unnest(tenants, environments, states, hostnames, after_created_ats, after_ids, page_sizes)
      with ordinality as r (tenant, environment, state, hostname, created_at, id, page_size, position)
    order by r.position
  loop
    perform set_config('app.tenant', w.tenant::text, true), set_config('app.environment', w.environment, true);
    if w.hostname is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
          c.origin_host_header, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
          and c.hostname = w.hostname and (w.state is null or c.state = w.state)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    elsif w.state is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
          c.origin_host_header, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    else
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
          c.origin_host_header, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    end if;
    return next page;
  end loop;
end $$;
