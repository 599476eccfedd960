-- What registries say of the domains that connections are below: one row for each registered domain, whoever has names
-- below it. A worker asks when `ask_at` has come; `due_at` is that time, or that of the next notice.
create table registrations (
  domain text primary key,
  expires_at timestamptz,
  status text[] not null default '{}',
  registrar text,
  -- When the registry last answered; null while it has not, and where it does not know the domain.
  checked_at timestamptz,
  -- What became of the last question; null before the first.
  outcome text check (outcome in ('answered', 'unknown', 'failed', 'limited', 'no_server')),
  -- Null where no server answers for the top-level domain.
  ask_at timestamptz,
  -- The question has its share of the registry's limit at `ask_at`.
  is_reserved boolean not null default false,
  due_at timestamptz,
  leased_until timestamptz,
  version bigint not null default 0,
  created_at timestamptz not null
);
create index registrations_due on registrations (due_at) where due_at is not null;
create index registrations_ending on registrations (expires_at) where expires_at is not null;

-- The connections below each registered domain that are not archived, and of what each was notified last.
create table registered_names (
  connection_id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  domain text not null,
  notified_expires_at timestamptz,
  notified_days integer,
  check ((notified_expires_at is null) = (notified_days is null))
);
create index registered_names_by_domain on registered_names (domain);
create index registered_names_by_tenant on registered_names (tenant_id, environment, domain);

-- The limit of questions to one registry, for all workers together.
create table rdap_servers (
  host text primary key,
  -- Until when all questions are promised.
  free_at timestamptz not null,
  -- The registry has asked to wait until then.
  paused_until timestamptz
);

-- A bootstrap file of IANA that is newer than the one of the release.
create table rdap_bootstrap (
  is_only boolean primary key default true check (is_only),
  published_at timestamptz not null,
  content text not null,
  installed_at timestamptz not null
);

-- Up to which connection `registered_names` is filled, and when that pass over all of them began.
create table registration_scan (
  is_only boolean primary key default true check (is_only),
  after_id uuid,
  started_at timestamptz
);
insert into registration_scan default values;

alter table registered_names enable row level security;
alter table registered_names force row level security;
create policy tenant on registered_names for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy operator on registered_names to mooring_operator using (true) with check (true);
create policy worker on registered_names to mooring_worker using (true) with check (true);

-- A tenant sees the registrations of domains that it has names below.
alter table registrations enable row level security;
alter table registrations force row level security;
create policy tenant on registrations for select to mooring_api
  using (exists (select from registered_names n where n.domain = registrations.domain));
create policy definer on registrations for select to mooring_definer using (true);
create policy operator on registrations to mooring_operator using (true) with check (true);
create policy worker on registrations to mooring_worker using (true) with check (true);

grant select on registrations, registered_names to mooring_api;
grant select on registrations to mooring_definer;
grant select, insert, update, delete on registrations, registered_names, rdap_servers to mooring_worker, mooring_operator;
grant select, update on registration_scan to mooring_worker, mooring_operator;
grant select on rdap_bootstrap to mooring_api, mooring_worker;
grant select, insert, update, delete on rdap_bootstrap to mooring_operator;

-- For readers of several tenants at once: each names the domains of its own connections.
create function read_registrations(domains text[])
  returns table (domain text, expires_at timestamptz, status text[], registrar text, checked_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select r.domain, r.expires_at, r.status, r.registrar, r.checked_at from registrations r
        where r.domain = any (domains) and r.checked_at is not null $$;
alter function read_registrations(text[]) owner to mooring_definer;
revoke all on function read_registrations(text[]) from public;
grant execute on function read_registrations(text[]) to mooring_api, mooring_worker, mooring_operator;
