-- Certificates that came with an import, until the ownership of their hostname is proven. Then they are served, and
-- the row goes.
create table imported_certificates (
  connection_id uuid primary key references connections (id),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  ca text not null,
  chain text not null,
  sealed_key text not null,
  -- SHA-256 of the first certificate, in lower-case hexadecimal.
  fingerprint text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  -- When it is renewed.
  renew_at timestamptz not null,
  created_at timestamptz not null
);

alter table imported_certificates enable row level security;
alter table imported_certificates force row level security;
create policy tenant on imported_certificates to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on imported_certificates to mooring_worker using (true) with check (true);
create policy operator on imported_certificates to mooring_operator using (true) with check (true);

grant select, insert on imported_certificates to mooring_api;
grant select, insert, delete on imported_certificates to mooring_worker;
grant select, insert, update, delete on imported_certificates to mooring_operator;
