-- Links to a page about one connection, for whoever manages the domain's DNS.

create table share_links (
  -- SHA-256 of the token in the link, which is kept nowhere.
  token_hash bytea primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null references connections (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index share_links_by_connection on share_links (connection_id, created_at desc);
create index share_links_by_expiry on share_links (expires_at);

alter table share_links enable row level security;
alter table share_links force row level security;
create policy tenant on share_links to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on share_links to mooring_worker using (true) with check (true);
create policy operator on share_links to mooring_operator using (true) with check (true);
create policy definer on share_links for select to mooring_definer using (true);

grant select, insert, delete on share_links to mooring_api;
grant select, delete on share_links to mooring_worker;
grant select, insert, update, delete on share_links to mooring_operator;
grant select on share_links to mooring_definer;

-- Whose page a link opens, asked before a tenant is known. A link ends with its time and with the
-- connection.
create function find_share_link(hash bytea, moment timestamptz)
  returns table (tenant_id uuid, environment text, connection_id uuid, application_id uuid,
                 hostname text, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select s.tenant_id, s.environment, s.connection_id, k.application_id, k.hostname, s.expires_at
        from public.share_links s
        join public.connections k on k.id = s.connection_id and k.state <> 'archived'
        where s.token_hash = hash and s.expires_at > moment $$;
alter function find_share_link(bytea, timestamptz) owner to mooring_definer;
revoke execute on function find_share_link(bytea, timestamptz) from public;
grant execute on function find_share_link(bytea, timestamptz) to mooring_api;
