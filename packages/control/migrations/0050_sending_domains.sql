-- Domains from which a service for sending mail sends, and whether it finds its records in DNS.
create table sending_domains (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null references connections (id),
  provider text not null,
  domain text not null,
  -- What the service's console shows: pasted, or read from the tenant's account.
  inputs jsonb not null,
  -- [{role, record, action, status}], and what a person has to know: {spf, notes}.
  records jsonb not null,
  advice jsonb not null,
  spf_term text,
  status text not null check (status in ('waiting', 'ready', 'accepted', 'broken')),
  -- The tenant's access to its account at the service; null where the values were pasted.
  sealed_access text,
  -- What the service said when it last could not be asked.
  account_error text,
  checked_at timestamptz,
  ready_at timestamptz,
  accepted_at timestamptz,
  checks integer not null default 0,
  misses integer not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  version bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (connection_id, provider)
);
create index sending_domains_due on sending_domains (due_at) where due_at is not null;

alter table sending_domains enable row level security;
alter table sending_domains force row level security;
create policy tenant on sending_domains to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy operator on sending_domains to mooring_operator using (true) with check (true);
create policy worker on sending_domains to mooring_worker using (true) with check (true);

grant select, insert, update, delete on sending_domains to mooring_api;
grant select, update, delete on sending_domains to mooring_worker;
grant select, insert, update, delete on sending_domains to mooring_operator;
