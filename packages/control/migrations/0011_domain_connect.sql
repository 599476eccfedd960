-- Domain Connect: the keys that sign links to DNS providers, the attempts under way, and the grants
-- that customers give in the asynchronous flow.

-- The installation's own: one provider id signs for all tenants.
create table domain_connect_keys (
  id uuid primary key,
  -- One DNS label; the public half stands in TXT records at <label>.<domain>.
  label text not null unique check (label ~ '^_[a-z0-9]([a-z0-9-]*[a-z0-9])?$' and length(label) <= 63),
  domain text not null,
  -- SubjectPublicKeyInfo, base64 of DER.
  public_key text not null,
  sealed text not null,
  created_at timestamptz not null,
  -- Since DNS has shown the public half, or since the operator said so; it signs from then on.
  activated_at timestamptz,
  retired_at timestamptz
);

create table domain_connect_attempts (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null references connections (id),
  mode text not null check (mode in ('sync', 'async')),
  -- SHA-256 of the state: the state itself is in the customer's browser alone.
  state_hash bytea not null unique check (length(state_hash) = 32),
  -- Where the customer goes afterwards; null: a page that closes its window.
  redirect_uri text,
  provider_id text,
  provider_name text not null,
  zone text not null,
  -- Relative to the zone; empty at its top.
  host text not null,
  service_id text not null,
  -- The key that signed the link; null where the flow signs none.
  key_label text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the customer came back; a second time is refused.
  returned_at timestamptz,
  outcome text check (outcome in ('returned', 'cancelled', 'refused', 'failed')),
  error text,
  check ((returned_at is null) = (outcome is null))
);
create index domain_connect_attempts_by_connection
  on domain_connect_attempts (connection_id, created_at desc, id desc);
create index domain_connect_attempts_age on domain_connect_attempts (expires_at);

-- A customer's leave to apply one template to one zone.
create table domain_connect_grants (
  connection_id uuid primary key references connections (id),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  provider_id text not null,
  provider_name text not null,
  zone text not null,
  host text not null,
  service_id text not null,
  -- Access and refresh token.
  sealed text not null,
  token_expires_at timestamptz,
  created_at timestamptz not null,
  applied_at timestamptz
);

do $$
declare
  t text;
begin
  foreach t in array array['domain_connect_attempts', 'domain_connect_grants']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to mooring_api
      using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
      with check (tenant_id = (select app_tenant()) and environment = (select app_environment()))', t);
    execute format('create policy operator on %I to mooring_operator using (true) with check (true)', t);
    execute format('create policy worker on %I to mooring_worker using (true) with check (true)', t);
  end loop;
end
$$;

grant select, update (activated_at) on domain_connect_keys to mooring_api;
grant select on domain_connect_keys to mooring_worker;
grant select, insert on domain_connect_attempts to mooring_api;
grant select, update, delete on domain_connect_attempts to mooring_worker;
grant select on domain_connect_grants to mooring_api;
grant select, insert, update, delete on domain_connect_grants to mooring_worker;
grant select, insert, update, delete on
  domain_connect_keys, domain_connect_attempts, domain_connect_grants to mooring_operator;
