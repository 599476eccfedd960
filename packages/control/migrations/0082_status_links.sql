-- Links to a page about all domains of one customer, for that customer.

create table status_links (
  id uuid primary key,
  -- SHA-256 of the token in the link, which is stored nowhere.
  token_hash bytea not null unique,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null references applications (id),
  customer_ref text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index status_links_by_customer on status_links (tenant_id, environment, customer_ref, created_at desc, id desc);
create index status_links_by_application on status_links (application_id);
create index status_links_by_expiry on status_links (expires_at);

alter table status_links enable row level security;
alter table status_links force row level security;
create policy tenant on status_links to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on status_links to mooring_worker using (true) with check (true);
create policy operator on status_links to mooring_operator using (true) with check (true);
create policy definer on status_links for select to mooring_definer using (true);

grant select, insert, delete on status_links to mooring_api;
grant select, delete on status_links to mooring_worker;
grant select, insert, update, delete on status_links to mooring_operator;
grant select on status_links to mooring_definer;

-- Whose page a link opens, asked before a tenant is known. A link ends with its time, with its application, and with
-- the tenant.
create function find_status_link(hash bytea, moment timestamptz)
  returns table (tenant_id uuid, environment text, application_id uuid, customer_ref text, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select s.tenant_id, s.environment, s.application_id, s.customer_ref, s.expires_at
        from public.status_links s
        join public.applications a on a.id = s.application_id and a.deleted_at is null
        join public.tenants t on t.id = s.tenant_id and t.deleted_at is null
        where s.token_hash = hash and s.expires_at > moment $$;
alter function find_status_link(bytea, timestamptz) owner to mooring_definer;
revoke execute on function find_status_link(bytea, timestamptz) from public;
grant execute on function find_status_link(bytea, timestamptz) to mooring_api;
