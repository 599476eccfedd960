-- Certificates that others obtain for claimed names, as certificate transparency logs show them.

-- SHA-256 of the public keys (SubjectPublicKeyInfo) of certificates that are ours: of orders, before they are sent, and
-- of certificates that were brought with their key.
create table certificate_keys (
  sha256 bytea primary key,
  created_at timestamptz not null
);
create index certificate_keys_age on certificate_keys (created_at);

-- The logs that CT_LOGS names, and how far each is read. `frontier` has the hashes of the complete subtrees of the first
-- `position` entries, one after the other; the head is the newest that was signed and continued the one before.
create table transparency_logs (
  id text primary key,
  description text not null,
  url text not null,
  tree_size bigint,
  root_hash bytea,
  position bigint not null default 0,
  frontier bytea not null default '',
  -- When the log accepted the last entry that was read, and when a head was last accepted.
  read_until timestamptz,
  checked_at timestamptz,
  entries_read bigint not null default 0,
  entries_unreadable bigint not null default 0,
  last_error text,
  failures integer not null default 0,
  stopped_at timestamptz,
  stop_reason text check (stop_reason in ('bad_signature', 'fork', 'wrong_entries')),
  listed_at timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  version bigint not null default 0,
  created_at timestamptz not null
);

-- Certificates for names that connections hold. One row a connection and certificate, which its precertificate shares:
-- `certificate` is SHA-256 over issuer and serial number. From `due_at` on its key is compared with ours, once.
create table foreign_certificates (
  connection_id uuid not null references connections (id),
  certificate bytea not null,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  public_key bytea not null,
  issuer text not null,
  serial text not null,
  names text[] not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  log text not null,
  seen_at timestamptz not null,
  due_at timestamptz,
  reported_at timestamptz,
  primary key (connection_id, certificate)
);
create index foreign_certificates_due on foreign_certificates (due_at) where due_at is not null;
create index foreign_certificates_end on foreign_certificates (not_after);

alter table certificate_keys enable row level security;
alter table certificate_keys force row level security;
create policy api on certificate_keys to mooring_api using (true) with check (true);
create policy edge on certificate_keys to mooring_edge using (true) with check (true);
create policy worker on certificate_keys to mooring_worker using (true) with check (true);
create policy operator on certificate_keys to mooring_operator using (true) with check (true);
grant select, insert, update on certificate_keys to mooring_api, mooring_edge;
grant select, insert, update, delete on certificate_keys to mooring_worker, mooring_operator;

alter table transparency_logs enable row level security;
alter table transparency_logs force row level security;
create policy worker on transparency_logs to mooring_worker using (true) with check (true);
create policy operator on transparency_logs to mooring_operator using (true) with check (true);
grant select, insert, update, delete on transparency_logs to mooring_worker, mooring_operator;

alter table foreign_certificates enable row level security;
alter table foreign_certificates force row level security;
create policy tenant on foreign_certificates for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on foreign_certificates to mooring_worker using (true) with check (true);
create policy operator on foreign_certificates to mooring_operator using (true) with check (true);
grant select on foreign_certificates to mooring_api;
grant select, insert, update, delete on foreign_certificates to mooring_worker, mooring_operator;
