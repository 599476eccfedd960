-- The queue of endpoints is partitioned by tenant, as that of checks is.

-- As before: one row for each endpoint that ever had a delivery. `turn_at` is when a worker looks at it next: not after
-- the first of its deliveries is due, unless it was looked at since; infinity when nothing is due.
create table endpoint_queue_next (
  endpoint_id uuid not null,
  tenant_id uuid not null,
  environment text not null constraint endpoint_queue_environment_check check (environment in ('test', 'live')),
  turn_at timestamptz not null
) partition by hash (tenant_id);

do $$
begin
  for part in 0..7 loop
    execute format('create table endpoint_queue_%1$s partition of endpoint_queue_next
      for values with (modulus 8, remainder %1$s)
      with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)', part);
    -- Nobody reads it but through the whole table.
    execute format('alter table endpoint_queue_%s enable row level security', part);
    execute format('alter table endpoint_queue_%s force row level security', part);
  end loop;
end
$$;

-- A transaction that queues a delivery has written `deliveries` or `webhook_endpoints` before, and a claim names both:
-- who has begun ends first, with the old table and the old functions, and who comes later finds the new ones. Others
-- take these locks in other orders, so this gives way before the server sees a deadlock, and is tried again.
set local lock_timeout = '200ms';
lock table webhook_endpoints in access exclusive mode;
lock table deliveries in share row exclusive mode;
lock table endpoint_queue in access exclusive mode;
set local lock_timeout = '1s';

-- A row at infinity has nothing that is due, and is made again by the next delivery. So only what is open is copied,
-- and traffic waits for no more than that; keys are added when the rows are there, which is much faster.
insert into endpoint_queue_next (endpoint_id, tenant_id, environment, turn_at)
  select endpoint_id, tenant_id, environment, turn_at from endpoint_queue where turn_at < 'infinity';

-- Its result has the type of the table, and comes back below.
drop function endpoints_in_turn(timestamptz);
drop table endpoint_queue;
alter table endpoint_queue_next rename to endpoint_queue;
alter table endpoint_queue add constraint endpoint_queue_pkey primary key (endpoint_id, tenant_id);
create index endpoint_queue_turn on endpoint_queue (turn_at);
alter table endpoint_queue add constraint endpoint_queue_endpoint_id_fkey
  foreign key (endpoint_id) references webhook_endpoints (id) on delete cascade;

alter table endpoint_queue enable row level security;
alter table endpoint_queue force row level security;
create policy worker on endpoint_queue to mooring_worker using (true) with check (true);
create policy operator on endpoint_queue to mooring_operator using (true) with check (true);
create policy definer on endpoint_queue to mooring_definer using (true) with check (true);
grant select, insert, update, delete on endpoint_queue to mooring_operator;
grant select, update on endpoint_queue to mooring_worker;
grant select, insert, update on endpoint_queue to mooring_definer;

create or replace function bring_endpoint_forward(endpoint uuid, tenant uuid, of_environment text, due timestamptz)
  returns void
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  perform pg_advisory_xact_lock_shared(public.endpoint_queue_key(endpoint));
  if exists (select from public.endpoint_queue q
      where q.endpoint_id = endpoint and q.tenant_id = tenant and q.turn_at <= due) then
    return;
  end if;
  insert into public.endpoint_queue as q (endpoint_id, tenant_id, environment, turn_at)
    values (endpoint, tenant, of_environment, due)
    on conflict (endpoint_id, tenant_id) do update set turn_at = excluded.turn_at where q.turn_at > excluded.turn_at;
end $$;

-- The endpoints whose turn has come, those that were looked at least recently first.
create function endpoints_in_turn(at timestamptz) returns setof endpoint_queue
  language sql stable rows 64 set search_path = pg_catalog, public
  as $$ select * from public.endpoint_queue q where q.turn_at <= at order by q.turn_at limit 64 $$;
revoke execute on function endpoints_in_turn(timestamptz) from public;
grant execute on function endpoints_in_turn(timestamptz) to mooring_worker;

-- As before, in the part of the endpoint's tenant.
create or replace function settle_endpoints(at timestamptz) returns void
  language plpgsql volatile set search_path = pg_catalog, public
  as $$
declare
  q record;
  first_due timestamptz;
  next_turn timestamptz;
begin
  for q in
    select i.endpoint_id, i.tenant_id, i.turn_at, e.active, count(*) over () as looked_at
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
      where endpoint_id = q.endpoint_id and tenant_id = q.tenant_id and turn_at <> next_turn;
  end loop;
end $$;
