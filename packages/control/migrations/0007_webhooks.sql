-- Webhook endpoints and the deliveries that are fanned out to them with each event.

create table webhook_endpoints (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null,
  url text not null,
  -- Subscribed kinds; '*' is all of them.
  events text[] not null,
  active boolean not null,
  -- Why it was switched off other than by its owner.
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  sealed_secret text not null,
  sealed_previous_secret text,
  -- Until then the previous secret signs too.
  previous_until timestamptz,
  -- Since when no delivery has succeeded; null while the last one did.
  failing_since timestamptz,
  last_failed_at timestamptz,
  created_at timestamptz not null,
  foreign key (application_id, tenant_id, environment) references applications (id, tenant_id, environment)
);
create index webhook_endpoints_page on webhook_endpoints (tenant_id, environment, created_at desc, id desc);
create index webhook_endpoints_active on webhook_endpoints (application_id) where active;

create table deliveries (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null references events (id),
  event_type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'exhausted')),
  -- Every attempt ever made: [{at, status_code, latency_ms, error, response_excerpt}]
  attempts jsonb not null default '[]',
  -- Attempts since it was last made due by hand; the place in the retry table.
  tries int not null default 0,
  version bigint not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  -- Asked to be sent again while an attempt was under way.
  replay_requested boolean not null default false,
  created_at timestamptz not null,
  unique (endpoint_id, event_id)
);
create index deliveries_page on deliveries (endpoint_id, created_at desc, id desc);
-- By endpoint first: a claim steps from receiver to receiver, so that one's backlog is not read
-- through to find what is due for the others.
create index deliveries_due on deliveries (endpoint_id, due_at) where due_at is not null;
create index deliveries_by_event on deliveries (event_id);

-- An event about an endpoint belongs to no connection.
alter table events alter column connection_id drop not null;
create index events_by_application on events (application_id, created_at, id);

do $$
declare
  t text;
begin
  foreach t in array array['webhook_endpoints', 'deliveries']
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

grant select, insert, update, delete on webhook_endpoints to mooring_api;
grant select, insert, update on deliveries to mooring_api;
grant select, update on webhook_endpoints to mooring_worker;
grant select, insert, update, delete on deliveries to mooring_worker;
-- What has outlived the log is removed.
grant delete on events to mooring_worker;
grant select, insert, update, delete on webhook_endpoints, deliveries to mooring_operator;
