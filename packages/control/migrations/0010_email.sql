-- Mail that was set up for a connection's domain.

create table email_setups (
  connection_id uuid primary key references connections (id),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  domain text not null,
  -- The mailbox provider.
  provider text not null,
  -- What the provider wants: [{role, record, isWritten}], and the mechanism for the domain's SPF record.
  records jsonb not null,
  spf_term text not null,
  -- Some of it was written through a credential; otherwise it was only shown.
  applied boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table email_setups enable row level security;
alter table email_setups force row level security;
create policy tenant on email_setups to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy operator on email_setups to mooring_operator using (true) with check (true);

grant select, insert, update on email_setups to mooring_api;
grant select, insert, update, delete on email_setups to mooring_operator;

-- Mail outlives the connection: undoing the connection's records leaves those of mail alone.
alter table dns_writes add column purpose text not null default 'connection'
  check (purpose in ('connection', 'email'));
