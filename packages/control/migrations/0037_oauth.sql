-- A customer's sign-in at their DNS provider: the way there, and what came of it. The token is sealed, used
-- for the plan of one connection, and removed with the row.
create table oauth_grants (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null references connections (id),
  provider text not null,
  -- SHA-256 of the state: the state itself is in the customer's browser alone.
  state_hash bytea not null unique check (length(state_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the customer came back; a second time is refused.
  returned_at timestamptz,
  -- SHA-256 of the secret that the customer's browser redeems the token with.
  grant_hash bytea unique check (length(grant_hash) = 32),
  sealed text,
  check ((grant_hash is null) = (sealed is null))
);
create index oauth_grants_age on oauth_grants (expires_at);
create index oauth_grants_by_connection on oauth_grants (connection_id);

alter table oauth_grants enable row level security;
alter table oauth_grants force row level security;
create policy tenant on oauth_grants to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy operator on oauth_grants to mooring_operator using (true) with check (true);
create policy worker on oauth_grants to mooring_worker using (true) with check (true);

grant select, insert on oauth_grants to mooring_api;
grant select, update, delete on oauth_grants to mooring_worker;
grant select, insert, update, delete on oauth_grants to mooring_operator;
