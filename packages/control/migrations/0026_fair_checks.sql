-- Checks are shared fairly: between tenants and environments, and between those who wait and those who do not;
-- and what fails for good is parked.

-- The lane of a connection: 0 fresh, somebody waits for it to go live; 1 live, checked now and then; 2 retry,
-- what has not got on for an hour or more. Without a cast, which might raise an error: under row level
-- security the planner would not know that the index by lane has the rows in order.
create function check_lane(state text, checks int) returns int
  language sql immutable parallel safe
  as $$ select case
      when state = 'live' then 1
      when checks <= 20 and state in ('created', 'pending_ownership', 'verifying', 'verified', 'dns_writing',
        'propagating', 'issuing_cert') then 0
      else 2 end $$;

-- One row for each lane of a tenant's environment that ever had a connection. `turn_at` is when a worker looks
-- at it next: not after the first of its rows is due, unless it was served since; the queue that was served
-- least recently comes first. So a backlog of one tenant is one row here, at the end of the line.
create table check_queues (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  lane int not null check (lane between 0 and 2),
  turn_at timestamptz not null,
  primary key (tenant_id, environment, lane)
) with (fillfactor = 70);
create index check_queues_turn on check_queues (lane, turn_at);

alter table check_queues enable row level security;
alter table check_queues force row level security;
create policy worker on check_queues to mooring_worker using (true) with check (true);
create policy operator on check_queues to mooring_operator using (true) with check (true);
create policy definer on check_queues to mooring_definer using (true) with check (true);
grant select, update on check_queues to mooring_worker;
grant select, insert, update, delete on check_queues to mooring_operator;
grant select, insert, update on check_queues to mooring_definer;

-- Every queue is looked at once; what is not due is then known.
insert into check_queues (tenant_id, environment, lane, turn_at)
  select t.id, e.environment, l.lane, '-infinity'
  from tenants t cross join (values ('test'), ('live')) as e (environment)
    cross join (values (0), (1), (2)) as l (lane);

create function check_queue_key(tenant uuid, environment text, lane int) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('check_queue:' || tenant || environment || lane, 0) $$;

-- A row that becomes due sooner, or in another lane, brings its queue's turn forward. It runs at the commit,
-- so that the queue's row is locked for a moment only. The shared lock is held until the row can be seen: a
-- worker does not put the turn off meanwhile.
create function bring_turn_forward() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
declare
  new_lane int := public.check_lane(new.state, new.checks);
begin
  perform pg_advisory_xact_lock_shared(public.check_queue_key(new.tenant_id, new.environment, new_lane));
  update public.check_queues q set turn_at = new.due_at
    where q.tenant_id = new.tenant_id and q.environment = new.environment and q.lane = new_lane
      and q.turn_at > new.due_at;
  if not found and not exists (select from public.check_queues q where q.tenant_id = new.tenant_id
      and q.environment = new.environment and q.lane = new_lane) then
    insert into public.check_queues as q (tenant_id, environment, lane, turn_at)
      values (new.tenant_id, new.environment, new_lane, new.due_at)
      on conflict on constraint check_queues_pkey do update set turn_at = excluded.turn_at
        where q.turn_at > excluded.turn_at;
  end if;
  return null;
end $$;
alter function bring_turn_forward() owner to mooring_definer;

create constraint trigger connections_queued after insert on connections
  deferrable initially deferred for each row
  when (new.due_at is not null) execute function bring_turn_forward();
create constraint trigger connections_requeued after update of due_at, state, checks on connections
  deferrable initially deferred for each row
  when (new.due_at is not null and (old.due_at is null or new.due_at < old.due_at
    or check_lane(new.state, new.checks) <> check_lane(old.state, old.checks)))
  execute function bring_turn_forward();

-- The queues whose turn has come, some of each lane, those that were served least recently first.
create function queues_in_turn(at timestamptz) returns setof check_queues
  language sql stable set search_path = pg_catalog, public
  as $$ select q.* from generate_series(0, 2) as l (lane) cross join lateral (
          select * from public.check_queues q where q.lane = l.lane and q.turn_at <= at
          order by q.turn_at limit 32) as q $$;

-- After a claim: a queue that was served and has more goes to the end of the line, and one without a due row
-- waits until its next one is. Each read of a queue's first row begins after the lock was taken, so that
-- it sees every row whose transaction has not waited for the lock.
create function settle_queues(at timestamptz, tenants uuid[], environments text[], lanes int[])
  returns void
  language plpgsql volatile set search_path = pg_catalog, public
  as $$
declare
  q record;
  first_due timestamptz;
  next_turn timestamptz;
begin
  for q in
    select i.tenant_id, i.environment, i.lane, i.turn_at, s.lane is not null as is_served
    from public.queues_in_turn(at) i left join unnest(tenants, environments, lanes)
      as s (tenant_id, environment, lane) using (tenant_id, environment, lane)
  loop
    continue when not pg_try_advisory_xact_lock(public.check_queue_key(q.tenant_id, q.environment, q.lane));
    select c.due_at into first_due from public.connections c
      where c.tenant_id = q.tenant_id and c.environment = q.environment
        and public.check_lane(c.state, c.checks) = q.lane and c.due_at is not null
      order by c.due_at limit 1;
    next_turn := case when first_due is null then 'infinity'
      when first_due > at then first_due
      when q.is_served then at
      else q.turn_at end;
    update public.check_queues set turn_at = next_turn
      where tenant_id = q.tenant_id and environment = q.environment and lane = q.lane and turn_at <> next_turn;
  end loop;
end $$;

revoke execute on function queues_in_turn(timestamptz),
  settle_queues(timestamptz, uuid[], text[], int[]), bring_turn_forward() from public;
grant execute on function queues_in_turn(timestamptz), settle_queues(timestamptz, uuid[], text[], int[])
  to mooring_worker;

-- When somebody last wrote or read a sandbox connection or its zone; null for names of real DNS.
alter table connections add column watched_at timestamptz;

-- Work that fails because of the row itself is tried some times with growing pauses, then not at all until
-- somebody wakes it. A row is parked while parked_at is set and it is not due.
alter table connections
  -- Runs in a row that failed because of the row, not because of the database or the network.
  add column failures int not null default 0,
  add column parked_at timestamptz,
  -- For the operator: it may name internals.
  add column parked_reason text;
alter table deliveries
  add column failures int not null default 0,
  add column parked_at timestamptz,
  add column parked_reason text;
