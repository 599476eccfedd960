-- What was planned and done to customers' zones, and who may write one now.

create table dns_writes (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null references connections (id),
  -- Null for a credential that was given once and not kept.
  credential_id uuid,
  provider text not null,
  zone text not null,
  -- The changes with what was there before each of them.
  changes jsonb not null,
  -- 'planned' also means: stopped half way; what it names may be in the zone.
  outcome text not null check (outcome in ('planned', 'applied', 'failed')),
  error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index dns_writes_by_connection on dns_writes (connection_id, created_at desc, id desc);

-- One writer a zone: most providers replace whole sets without a version check.
create table zone_leases (
  provider text not null,
  zone text not null,
  owner uuid not null,
  leased_until timestamptz not null,
  primary key (provider, zone)
);

alter table dns_writes enable row level security;
alter table dns_writes force row level security;
create policy tenant on dns_writes to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy operator on dns_writes to mooring_operator using (true) with check (true);
create policy worker on dns_writes to mooring_worker using (true) with check (true);

grant select on dns_writes to mooring_api;
grant select, insert, update on dns_writes to mooring_worker;
grant select, insert, update, delete on zone_leases to mooring_worker;
grant select, insert, update, delete on dns_writes, zone_leases to mooring_operator;
