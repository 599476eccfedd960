-- What a caller of a drop-in API has sent that has no place elsewhere: it is shown again as it was given.
create table drop_in_fields (
  connection_id uuid not null references connections (id) on delete cascade,
  vendor text not null check (vendor in ('cloudflare', 'vercel')),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  fields jsonb not null,
  updated_at timestamptz not null,
  primary key (connection_id, vendor)
);

alter table drop_in_fields enable row level security;
alter table drop_in_fields force row level security;
create policy tenant on drop_in_fields to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on drop_in_fields to mooring_worker using (true) with check (true);
create policy operator on drop_in_fields to mooring_operator using (true) with check (true);

grant select, insert, update on drop_in_fields to mooring_api;
grant select on drop_in_fields to mooring_worker;
grant select, insert, update, delete on drop_in_fields to mooring_operator;

-- The claimed hostnames with what serves them, for a proxy that takes its whole configuration at once. A
-- redirect counts once its target is served.
create function served_hosts(after_name text, at_most int)
  returns table (hostname text, redirect_to text, origin_url text, origin_host_header text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname,
          case when k.redirect_to is not null then (
            select t.hostname from public.claims h
            join public.connections t on t.id = h.connection_id
            where h.hostname = k.redirect_to and t.application_id = k.application_id
              and t.customer_ref is not distinct from k.customer_ref
              and t.state in ('live', 'drifted')) end,
          coalesce(k.origin_url, a.origin_url), coalesce(k.origin_host_header, a.origin_host_header)
        from public.claims c
        join public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname > after_name
        order by c.hostname limit at_most $$;

alter function served_hosts(text, int) owner to mooring_definer;
revoke execute on function served_hosts(text, int) from public;
grant execute on function served_hosts(text, int) to mooring_api;
