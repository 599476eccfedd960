-- Deliveries are claimed from a row per endpoint, what takes long for an endpoint is done in pieces, and
-- certificates have the time of their next alarm.

-- One row for each endpoint that ever had a delivery. `turn_at` is when a worker looks at it next: not after
-- the first of its deliveries is due, unless it was looked at since; infinity when nothing is due. So a claim
-- costs the same however many endpoints have something open.
create table endpoint_queue (
  endpoint_id uuid primary key references webhook_endpoints (id) on delete cascade,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  turn_at timestamptz not null
) with (fillfactor = 70);
create index endpoint_queue_turn on endpoint_queue (turn_at);

-- Every endpoint is looked at once; what is not due is then known.
insert into endpoint_queue (endpoint_id, tenant_id, environment, turn_at)
  select id, tenant_id, environment, '-infinity' from webhook_endpoints;

-- What a worker does for an endpoint in pieces, each in a transaction of its own.
create table endpoint_jobs (
  id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  -- resume: what is open is due at once. replay: events since a time are sent again. delete: with its log.
  kind text not null check (kind in ('resume', 'replay', 'delete')),
  since timestamptz,
  -- Of a replay: only events of a kind, or only those whose delivery failed.
  event_type text,
  failed_only boolean not null default false,
  -- Events up to here are done.
  cursor_at timestamptz,
  cursor_id uuid,
  done bigint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index endpoint_jobs_open on endpoint_jobs (created_at) where finished_at is null;
create index endpoint_jobs_by_endpoint on endpoint_jobs (endpoint_id, kind, created_at desc);

alter table webhook_endpoints
  -- Nothing shows it any more; a worker removes its log and then the row.
  add column deleted_at timestamptz;

do $$
declare
  t text;
begin
  foreach t in array array['endpoint_queue', 'endpoint_jobs']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy worker on %I to mooring_worker using (true) with check (true)', t);
    execute format('create policy operator on %I to mooring_operator using (true) with check (true)', t);
    execute format('create policy definer on %I to mooring_definer using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to mooring_operator', t);
  end loop;
end
$$;
create policy tenant on endpoint_jobs to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
grant select, update on endpoint_queue to mooring_worker;
grant select, insert, update on endpoint_queue to mooring_definer;
grant select, insert, update on endpoint_jobs to mooring_api, mooring_worker;
grant insert on endpoint_jobs to mooring_definer;

drop policy tenant on webhook_endpoints;
create policy tenant on webhook_endpoints to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment())
    and deleted_at is null)
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy definer on webhook_endpoints to mooring_definer using (true) with check (true);
grant select, update, delete on webhook_endpoints to mooring_definer;
create policy definer on deliveries to mooring_definer using (true) with check (true);
grant select on deliveries to mooring_definer;
grant delete on webhook_endpoints, endpoint_jobs to mooring_worker;

create function endpoint_queue_key(endpoint uuid) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('endpoint_queue:' || endpoint, 0) $$;

create function bring_endpoint_forward(endpoint uuid, tenant uuid, of_environment text, due timestamptz)
  returns void
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  perform pg_advisory_xact_lock_shared(public.endpoint_queue_key(endpoint));
  if exists (select from public.endpoint_queue q where q.endpoint_id = endpoint and q.turn_at <= due) then
    return;
  end if;
  insert into public.endpoint_queue as q (endpoint_id, tenant_id, environment, turn_at)
    values (endpoint, tenant, of_environment, due)
    on conflict (endpoint_id) do update set turn_at = excluded.turn_at where q.turn_at > excluded.turn_at;
end $$;
alter function bring_endpoint_forward(uuid, uuid, text, timestamptz) owner to mooring_definer;

-- As for checks: at the commit, and with a shared lock until the delivery can be seen.
create function queue_delivery() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  perform public.bring_endpoint_forward(new.endpoint_id, new.tenant_id, new.environment, new.due_at);
  return null;
end $$;
alter function queue_delivery() owner to mooring_definer;

create constraint trigger deliveries_queued after insert on deliveries
  deferrable initially deferred for each row
  when (new.due_at is not null) execute function queue_delivery();
create constraint trigger deliveries_requeued after update of due_at on deliveries
  deferrable initially deferred for each row
  when (new.due_at is not null and (old.due_at is null or new.due_at < old.due_at))
  execute function queue_delivery();

-- An endpoint that is switched on is looked at.
create function queue_endpoint() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  perform public.bring_endpoint_forward(new.id, new.tenant_id, new.environment, '-infinity');
  return null;
end $$;
alter function queue_endpoint() owner to mooring_definer;

create constraint trigger webhook_endpoints_queued after update of active on webhook_endpoints
  deferrable initially deferred for each row
  when (new.active and not old.active) execute function queue_endpoint();

-- The endpoints whose turn has come, those that were looked at least recently first.
create function endpoints_in_turn(at timestamptz) returns setof endpoint_queue
  language sql stable rows 64 set search_path = pg_catalog, public
  as $$ select * from public.endpoint_queue q where q.turn_at <= at order by q.turn_at limit 64 $$;

-- After a claim: an endpoint without a due delivery waits until its next one is. When there are more than one
-- claim looks at, those that were looked at go to the end of the line. One that is off has test events only.
create function settle_endpoints(at timestamptz) returns void
  language plpgsql volatile set search_path = pg_catalog, public
  as $$
declare
  q record;
  first_due timestamptz;
  next_turn timestamptz;
begin
  for q in
    select i.endpoint_id, i.turn_at, e.active, count(*) over () as looked_at
    from public.endpoints_in_turn(at) i join public.webhook_endpoints e on e.id = i.endpoint_id
  loop
    continue when not pg_try_advisory_xact_lock(public.endpoint_queue_key(q.endpoint_id));
    if q.active then
      select d.due_at into first_due from public.deliveries d
        where d.endpoint_id = q.endpoint_id and d.due_at is not null order by d.due_at limit 1;
    else
      select d.due_at into first_due from public.deliveries d
        where d.endpoint_id = q.endpoint_id and d.event_type = 'endpoint.test' and d.due_at is not null
        order by d.due_at limit 1;
    end if;
    next_turn := case when first_due is null then 'infinity'
      when first_due > at then first_due
      when q.looked_at >= 64 then at
      else q.turn_at end;
    update public.endpoint_queue set turn_at = next_turn
      where endpoint_id = q.endpoint_id and turn_at <> next_turn;
  end loop;
end $$;

-- Removes an endpoint of the caller's tenant with its log: at once when that is short, and otherwise it is
-- gone for everybody at once and removed by a worker. False when there is no such endpoint.
create function delete_endpoint(endpoint uuid, job uuid, at timestamptz) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
declare
  short_log constant int := 1000;
  log_rows bigint;
  found_endpoint public.webhook_endpoints;
begin
  select * into found_endpoint from public.webhook_endpoints e where e.id = endpoint
    and e.tenant_id = public.app_tenant() and e.environment = public.app_environment()
    and e.deleted_at is null for update;
  if not found then return false; end if;
  select count(*) into log_rows from (
    select from public.deliveries d where d.endpoint_id = endpoint limit short_log + 1) as log;
  if log_rows <= short_log then
    delete from public.webhook_endpoints e where e.id = endpoint;
    return true;
  end if;
  update public.webhook_endpoints e set deleted_at = at, active = false where e.id = endpoint;
  insert into public.endpoint_jobs (id, tenant_id, environment, endpoint_id, kind, created_at)
    values (job, found_endpoint.tenant_id, found_endpoint.environment, endpoint, 'delete', at);
  return true;
end $$;
alter function delete_endpoint(uuid, uuid, timestamptz) owner to mooring_definer;

revoke execute on function bring_endpoint_forward(uuid, uuid, text, timestamptz), queue_delivery(),
  queue_endpoint(), endpoints_in_turn(timestamptz), settle_endpoints(timestamptz),
  delete_endpoint(uuid, uuid, timestamptz) from public;
grant execute on function bring_endpoint_forward(uuid, uuid, text, timestamptz) to mooring_definer;
grant execute on function endpoints_in_turn(timestamptz), settle_endpoints(timestamptz) to mooring_worker;
grant execute on function delete_endpoint(uuid, uuid, timestamptz) to mooring_api;

-- When the operator is next told of a certificate that is not renewed: first at the last quarter of its life.
alter table certificates add column alarm_at timestamptz;

-- In the row itself, so that every writer of a certificate sets it, also one of the release before.
create function set_alarm() returns trigger
  language plpgsql set search_path = pg_catalog, public
  as $$
begin
  new.alarm_at := new.not_after - (new.not_after - new.not_before) / 4;
  return new;
end $$;
create trigger certificates_alarm_set before insert or update of not_before, not_after on certificates
  for each row execute function set_alarm();
