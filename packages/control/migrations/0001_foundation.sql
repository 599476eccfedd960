-- Roles, tenancy, and the resources that need no DNS.
--
-- Every tenant table has ENABLE and FORCE row level security. The api role sees the rows of the
-- tenant and environment set for the transaction (app.tenant, app.environment); unset means none.
-- Look-ups made before a tenant is known are the SECURITY DEFINER functions at the end; they run
-- as mooring_definer, which has read policies of its own, so that they also work where the owner
-- of the schema is an ordinary role to which FORCE applies.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['mooring_api', 'mooring_worker', 'mooring_edge', 'mooring_operator', 'mooring_definer']
  loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls', wanted);
    exception when duplicate_object or unique_violation then
      null; -- roles belong to the whole server; another database of it has made them
    end;
    begin
      execute format('grant %I to current_user', wanted);
    exception when unique_violation then
      null; -- the same grant, made by a parallel migration of another database
    end;
  end loop;
end
$$;

grant usage on schema public to mooring_api, mooring_worker, mooring_edge, mooring_operator, mooring_definer;
grant create on schema public to mooring_definer;

-- The tenant and environment of the transaction; null when unset, and null equals nothing.
create function app_tenant() returns uuid language sql stable
  as $$ select nullif(current_setting('app.tenant', true), '')::uuid $$;
create function app_environment() returns text language sql stable
  as $$ select nullif(current_setting('app.environment', true), '') $$;

create table tenants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  plan text not null,
  created_at timestamptz not null
);

create table applications (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  name text not null check (length(name) between 1 and 100),
  allowed_origins text[] not null default '{}',
  record_template jsonb not null default '[]',
  origin_url text,
  origin_host_header text not null default 'preserve' check (origin_host_header in ('preserve', 'origin')),
  created_at timestamptz not null,
  unique (id, tenant_id, environment)
);
create index applications_page on applications (tenant_id, environment, created_at desc, id desc);
create index applications_origins on applications using gin (allowed_origins);

create table api_keys (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  key_hash bytea not null unique check (length(key_hash) = 32),
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  foreign key (application_id, tenant_id, environment) references applications (id, tenant_id, environment)
);
create index api_keys_page on api_keys (application_id, created_at desc, id desc);

create table credentials (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null,
  provider text not null,
  name text not null check (length(name) between 1 and 100),
  zone text,
  sealed text not null,
  last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  last_error text,
  foreign key (application_id, tenant_id, environment) references applications (id, tenant_id, environment)
);
create index credentials_page on credentials (application_id, created_at desc, id desc);

-- Keys that sign widget tokens and origin assertions. Private halves are sealed.
create table signing_keys (
  id text primary key,
  purpose text not null check (purpose in ('widget', 'assertion')),
  public_jwk jsonb not null,
  sealed text not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table idempotency_keys (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  route text not null,
  key text not null,
  fingerprint bytea not null,
  status int not null,
  body text not null,
  created_at timestamptz not null,
  primary key (tenant_id, environment, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table usage_counters (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  period date not null,
  kind text not null check (kind in ('connect', 'active_domain', 'cert', 'api_call')),
  amount bigint not null check (amount >= 0),
  primary key (tenant_id, environment, period, kind)
);

-- One row for each thing counted once, whatever is retried: its cause is the connection or certificate.
create table usage_causes (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('connect', 'cert')),
  cause uuid not null,
  at timestamptz not null,
  primary key (kind, cause)
);

create table subscriptions (
  tenant_id uuid primary key references tenants (id),
  plan text not null,
  status text not null check (status in ('incomplete', 'active', 'past_due', 'canceled')),
  stripe_customer text,
  stripe_subscription text unique,
  current_period_end timestamptz,
  last_event_at timestamptz,
  created_at timestamptz not null
);

create table audit_log (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  environment text check (environment in ('test', 'live')),
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'
);
create index audit_log_page on audit_log (tenant_id, at desc, id desc);

-- Row level security -----------------------------------------------------------------------------

alter table tenants enable row level security;
alter table tenants force row level security;
create policy own_tenant on tenants for select to mooring_api using (id = (select app_tenant()));
create policy operator on tenants to mooring_operator using (true) with check (true);
create policy worker on tenants for select to mooring_worker using (true);
create policy worker_plan on tenants for update to mooring_worker using (true) with check (true);
create policy definer on tenants for select to mooring_definer using (true);

do $$
declare
  t text;
begin
  -- Tables whose rows belong to one tenant and one environment.
  foreach t in array array['applications', 'api_keys', 'credentials', 'idempotency_keys', 'usage_counters', 'usage_causes']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to mooring_api
      using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
      with check (tenant_id = (select app_tenant()) and environment = (select app_environment()))', t);
    execute format('create policy operator on %I to mooring_operator using (true) with check (true)', t);
    execute format('create policy worker on %I to mooring_worker using (true) with check (true)', t);
    execute format('create policy definer on %I for select to mooring_definer using (true)', t);
  end loop;
  -- Tables whose rows belong to one tenant.
  foreach t in array array['subscriptions', 'audit_log']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to mooring_api
      using (tenant_id = (select app_tenant())) with check (tenant_id = (select app_tenant()))', t);
    execute format('create policy operator on %I to mooring_operator using (true) with check (true)', t);
    execute format('create policy worker on %I to mooring_worker using (true) with check (true)', t);
    execute format('create policy definer on %I for select to mooring_definer using (true)', t);
  end loop;
end
$$;

grant select on tenants to mooring_api;
grant select, insert, update on applications, api_keys, subscriptions, usage_counters to mooring_api;
grant select, insert, delete on idempotency_keys to mooring_api;
grant select, insert on usage_causes, audit_log to mooring_api;
grant select, insert, update, delete on credentials to mooring_api;
grant select, insert, update on signing_keys to mooring_api;

grant select, update on tenants to mooring_worker;
grant select, insert, update, delete on idempotency_keys, usage_counters, usage_causes to mooring_worker;
grant select, update on applications, api_keys, credentials, subscriptions to mooring_worker;
grant select, insert on audit_log to mooring_worker;
grant select on signing_keys to mooring_worker;

grant select, insert, update, delete on
  tenants, applications, api_keys, credentials, signing_keys, idempotency_keys,
  usage_counters, usage_causes, subscriptions, audit_log to mooring_operator;

grant select on tenants, applications, api_keys, subscriptions to mooring_definer;
grant update (last_used_at) on api_keys to mooring_definer;
create policy definer_touch on api_keys for update to mooring_definer using (true) with check (true);
grant insert, update, select on usage_counters to mooring_definer;
create policy definer_meter on usage_counters to mooring_definer using (true) with check (true);
grant insert, update on subscriptions to mooring_definer;
create policy definer_billing on subscriptions to mooring_definer using (true) with check (true);
grant update (plan) on tenants to mooring_definer;
create policy definer_plan on tenants for update to mooring_definer using (true) with check (true);

-- Look-ups before a tenant is known ----------------------------------------------------------------

-- The live keys among these hashes. A revoked key is simply not there.
create function find_api_keys(hashes bytea[])
  returns table (key_hash bytea, id uuid, tenant_id uuid, environment text, application_id uuid, scopes text[])
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.key_hash, k.id, k.tenant_id, k.environment, k.application_id, k.scopes
        from public.api_keys k where k.key_hash = any (hashes) and k.revoked_at is null $$;

-- What a widget token stands on: its minting key is alive and its application still is the tenant's.
create function find_widget_grants(key_ids uuid[], application_ids uuid[])
  returns table (key_id uuid, application_id uuid, tenant_id uuid, environment text, allowed_origins text[])
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.id, a.id, a.tenant_id, a.environment, a.allowed_origins
        from unnest(key_ids, application_ids) as t (key_id, application_id)
        join public.api_keys k on k.id = t.key_id and k.revoked_at is null
        join public.applications a on a.id = t.application_id
          and a.tenant_id = k.tenant_id and a.environment = k.environment $$;

-- Does any application list this browser origin? Answers a preflight, which carries no credential.
create function origin_is_listed(origin text) returns boolean
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select exists (select from public.applications a where a.allowed_origins @> array[origin]) $$;

-- Batched by the meter: adds counted calls and moves last_used_at forward, never back.
create function add_api_calls(tenants uuid[], environments text[], periods date[], amounts bigint[]) returns void
  language sql security definer set search_path = pg_catalog, public
  as $$ insert into public.usage_counters as c (tenant_id, environment, period, kind, amount)
        select t, e, p, 'api_call', n from unnest(tenants, environments, periods, amounts) as u (t, e, p, n)
        order by t, e, p
        on conflict (tenant_id, environment, period, kind) do update set amount = c.amount + excluded.amount $$;
create function touch_api_keys(ids uuid[], times timestamptz[]) returns void
  language sql security definer set search_path = pg_catalog, public
  as $$ update public.api_keys k set last_used_at = u.at
        from (select id, at from unnest(ids, times) as x (id, at) order by id) u
        where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at) $$;

alter function find_api_keys(bytea[]) owner to mooring_definer;
alter function find_widget_grants(uuid[], uuid[]) owner to mooring_definer;
alter function origin_is_listed(text) owner to mooring_definer;
alter function add_api_calls(uuid[], text[], date[], bigint[]) owner to mooring_definer;
alter function touch_api_keys(uuid[], timestamptz[]) owner to mooring_definer;
revoke execute on function find_api_keys(bytea[]), find_widget_grants(uuid[], uuid[]), origin_is_listed(text),
  add_api_calls(uuid[], text[], date[], bigint[]), touch_api_keys(uuid[], timestamptz[]) from public;
grant execute on function find_api_keys(bytea[]), find_widget_grants(uuid[], uuid[]), origin_is_listed(text),
  add_api_calls(uuid[], text[], date[], bigint[]), touch_api_keys(uuid[], timestamptz[]) to mooring_api;
