-- Names that an archive left in DNS, and proven names that wait because the plan allows no more.

-- One row for each connection that was archived within the last 90 days. Its name is looked up once a day.
create table left_behind (
  -- Refers to no table: archived connections move.
  connection_id uuid primary key,
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  hostname text not null,
  archived_at timestamptz not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  version bigint not null default 0,
  -- What the last lookups agreed on, and how many of them in a row.
  seen text check (seen in ('here', 'gone')),
  agreeing int not null default 0 check (agreeing >= 0),
  -- Since when the name is known to resolve to us; null when it does not.
  dangling_since timestamptz,
  -- When the event was sent: once for each archive.
  reported_at timestamptz
);
create index left_behind_due on left_behind (due_at);
create index left_behind_tenant on left_behind (tenant_id);
create index left_behind_dangling on left_behind (tenant_id, environment) where dangling_since is not null;

alter table left_behind enable row level security;
alter table left_behind force row level security;
create policy tenant on left_behind to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on left_behind to mooring_worker using (true) with check (true);
create policy operator on left_behind to mooring_operator using (true) with check (true);
create policy definer on left_behind for select to mooring_definer using (true);
grant select on left_behind to mooring_api, mooring_definer;
grant select, insert, update, delete on left_behind to mooring_worker, mooring_operator;

-- Links to the page that asks to remove what was left behind. They end with the watch.
create table removal_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index removal_links_by_connection on removal_links (connection_id, created_at desc);
create index removal_links_by_expiry on removal_links (expires_at);

alter table removal_links enable row level security;
alter table removal_links force row level security;
create policy tenant on removal_links to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on removal_links to mooring_worker using (true) with check (true);
create policy operator on removal_links to mooring_operator using (true) with check (true);
create policy definer on removal_links for select to mooring_definer using (true);
grant select, insert, delete on removal_links to mooring_api;
grant select, delete on removal_links to mooring_worker;
grant select, insert, update, delete on removal_links to mooring_operator;
grant select on removal_links to mooring_definer;

-- The connection of a link that has not expired. What is connected again has no such page.
create function find_removal_link(hash bytea, moment timestamptz)
  returns table (tenant_id uuid, environment text, connection_id uuid, application_id uuid, hostname text,
    customer_ref text, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select r.tenant_id, r.environment, r.connection_id, k.application_id, k.hostname, k.customer_ref, r.expires_at
        from public.removal_links r
        join public.left_behind l on l.connection_id = r.connection_id
        join public.connections k on k.id = r.connection_id and k.state = 'archived'
        where r.token_hash = hash and r.expires_at > moment
          and not exists (select from public.claims c where c.hostname = k.hostname) $$;

-- Proven names that have their claim and are not served yet, because the plan allows no more names. The first that
-- came goes on first.
create table quota_waits (
  connection_id uuid primary key references claims (connection_id) on delete cascade,
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  since timestamptz not null
);
create index quota_waits_by_tenant on quota_waits (tenant_id, environment, since, connection_id);

alter table quota_waits enable row level security;
alter table quota_waits force row level security;
create policy tenant on quota_waits to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on quota_waits to mooring_worker using (true) with check (true);
create policy operator on quota_waits to mooring_operator using (true) with check (true);
create policy definer on quota_waits for select to mooring_definer using (true);
grant select on quota_waits to mooring_api, mooring_definer;
grant select, insert, update, delete on quota_waits to mooring_worker, mooring_operator;

-- No certificate is ordered, and nothing is served, for a name that waits.
create or replace function claimed_hostnames(names text[]) returns setof text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname from public.claims c where c.hostname = any (names)
          and not exists (select from public.quota_waits w where w.connection_id = c.connection_id) $$;

create function waits_for_quota(name text) returns boolean
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select exists (select from public.claims c join public.quota_waits w on w.connection_id = c.connection_id
          where c.hostname = name) $$;

do $$
declare
  f text;
begin
  foreach f in array array['find_removal_link(bytea, timestamptz)', 'waits_for_quota(text)']
  loop
    execute format('alter function %s owner to mooring_definer', f);
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to mooring_api', f);
  end loop;
end
$$;
