-- The life of a connection: rows that are due, claims held once, the outbox, the timeline, the sandbox.

create table connections (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null,
  hostname text not null,
  registrable_domain text not null,
  kind text not null check (kind in ('apex', 'subdomain')),
  setup_type text not null check (setup_type in ('automatic', 'manual', 'semiautomatic', 'shared_login', 'async', 'api')),
  state text not null check (state in ('created', 'pending_ownership', 'verifying', 'verified', 'dns_writing',
    'propagating', 'stalled', 'issuing_cert', 'live', 'drifted', 'failed', 'archived')),
  provider text,
  batch_id uuid,
  error_code text,
  challenge text not null,
  -- Whether a stored credential of the tenant may be used for it without anybody being asked.
  may_use_credentials boolean not null,
  desired_records jsonb not null,
  observed_records jsonb not null default '[]',
  phase_started_at timestamptz not null,
  -- Checks made in this state, for the cadence; misses in a row while live, for drift.
  checks int not null default 0,
  misses int not null default 0,
  first_miss_at timestamptz,
  last_checked_at timestamptz,
  first_live_at timestamptz,
  -- Counts the events of this connection; fixed into each event's body.
  sequence int not null default 0,
  -- Grows with every claim of the row by a worker and every write: a late write of a worker that
  -- was frozen past its lease names an old version and is refused.
  version bigint not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  recheck_requested boolean not null default false,
  created_at timestamptz not null,
  archived_at timestamptz,
  foreign key (application_id, tenant_id, environment) references applications (id, tenant_id, environment)
);
create index connections_page on connections (tenant_id, environment, created_at desc, id desc);
create index connections_by_state on connections (tenant_id, environment, state, created_at desc, id desc);
create index connections_by_hostname on connections (hostname, created_at desc, id desc);
create index connections_due on connections (due_at) where due_at is not null;

-- The one active claim on a hostname. Written and deleted only with its connection's transition.
create table claims (
  hostname text primary key,
  connection_id uuid not null unique references connections (id),
  tenant_id uuid not null,
  environment text not null,
  epoch bigint not null,
  claimed_at timestamptz not null
);
-- Every claim of a name has a higher epoch than all before it, also after the row was deleted.
create sequence claim_epochs;

-- How many names each tenant holds now, kept with the claims: counting them would grow with the table.
create table held_hostnames (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  held bigint not null check (held >= 0),
  primary key (tenant_id, environment)
);

-- The outbox: an event is a row of the transaction that it tells of, its bytes fixed for good.
create table events (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null,
  connection_id uuid not null references connections (id),
  sequence int not null,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  unique (connection_id, sequence)
);
create index events_page on events (tenant_id, environment, created_at desc, id desc);

create table timeline (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  connection_id uuid not null references connections (id),
  kind text not null check (kind in ('state', 'check', 'write', 'certificate', 'delivery')),
  from_state text,
  to_state text,
  error_code text,
  details jsonb not null default '{}',
  created_at timestamptz not null
);
create index timeline_page on timeline (connection_id, created_at desc, id desc);

-- Crosses the planes: control makes a row due when a certificate is wanted, an edge obtains it.
create table certificates (
  hostname text primary key,
  connection_id uuid not null references connections (id),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  epoch bigint not null,
  status text not null check (status in ('none', 'pending', 'issued', 'renewing', 'failed', 'expired', 'revoked')),
  ca text,
  not_before timestamptz,
  not_after timestamptz,
  last_error text,
  error_code text,
  due_at timestamptz,
  leased_until timestamptz,
  version bigint not null default 0,
  created_at timestamptz not null
);
create index certificates_due on certificates (due_at) where due_at is not null;

create table sandbox_zones (
  zone text primary key,
  tenant_id uuid not null references tenants (id),
  nameservers text[] not null,
  -- Records with the time from which each is answered: [{host, type, value, ttl, priority, visible_at}]
  records jsonb not null,
  updated_at timestamptz not null
);
create index sandbox_zones_page on sandbox_zones (tenant_id, updated_at desc, zone);

do $$
declare
  t text;
begin
  foreach t in array array['connections', 'events', 'timeline', 'claims', 'certificates', 'held_hostnames']
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
end
$$;
alter table sandbox_zones enable row level security;
alter table sandbox_zones force row level security;
create policy tenant on sandbox_zones to mooring_api
  using (tenant_id = (select app_tenant()) and (select app_environment()) = 'test')
  with check (tenant_id = (select app_tenant()) and (select app_environment()) = 'test');
create policy operator on sandbox_zones to mooring_operator using (true) with check (true);
create policy worker on sandbox_zones to mooring_worker using (true) with check (true);
create policy definer on sandbox_zones for select to mooring_definer using (true);

grant select, insert, update on connections to mooring_api;
grant select, insert on events, timeline to mooring_api;
grant select on claims, certificates, held_hostnames to mooring_api;
grant select, insert, update, delete on sandbox_zones to mooring_api;

grant select, insert, update on connections, certificates, held_hostnames to mooring_worker;
grant select, insert on events, timeline to mooring_worker;
grant select, insert, update, delete on claims, sandbox_zones to mooring_worker;
grant usage on sequence claim_epochs to mooring_worker;
-- Takeover writes the loser's audit row; connects are metered where they are made.
grant select, insert, update, delete on
  connections, certificates, events, timeline, claims, held_hostnames, sandbox_zones to mooring_operator;

grant select on connections, claims, sandbox_zones to mooring_definer;

-- Who holds a hostname, across tenants. Tells the caller only what create may tell: the verb decides.
create function claim_holder(name text)
  returns table (connection_id uuid, application_id uuid, state text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.connection_id, k.application_id, k.state
        from public.claims c join public.connections k on k.id = c.connection_id
        where c.hostname = name $$;

-- The whole of GET /internal/ask: a claim is held in exactly the states that allow. One index look-up
-- a name; questions that arrive together are asked together.
create function claimed_hostnames(names text[]) returns setof text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname from public.claims c where c.hostname = any (names) $$;

-- Where a claimed hostname is served from: the application's origin.
create function hostname_origin(name text) returns text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select a.origin_url
        from public.claims c
        join public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname = name $$;

-- Sandbox answers are the same for all tenants; only writing is owned.
create function sandbox_zone(name text)
  returns table (tenant_id uuid, nameservers text[], records jsonb)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select z.tenant_id, z.nameservers, z.records from public.sandbox_zones z where z.zone = name $$;

alter function claim_holder(text) owner to mooring_definer;
alter function claimed_hostnames(text[]) owner to mooring_definer;
alter function hostname_origin(text) owner to mooring_definer;
alter function sandbox_zone(text) owner to mooring_definer;
revoke execute on function claim_holder(text), claimed_hostnames(text[]), hostname_origin(text), sandbox_zone(text) from public;
grant execute on function claim_holder(text), claimed_hostnames(text[]), hostname_origin(text), sandbox_zone(text)
  to mooring_api, mooring_worker;
