-- What visitors ask for, per connection and hour: counted by the edges, one batch for each process and minute. No
-- address, path or other trace of a visitor is in it.

create table traffic_edges (
  id int generated always as identity primary key,
  -- The machine; its processes are added up.
  name text not null unique
);

-- Edge processes, by which it is known whose minutes are missing. Rows come from `edges` and from the batches.
create table traffic_processes (
  id uuid primary key,
  started_at timestamptz not null,
  -- The last minute of which a batch came.
  last_minute timestamptz,
  seen_at timestamptz,
  -- Its last batch said so: no minute after that is missing.
  ended boolean not null default false
);

-- The parts of batches that were received: each is merged once.
create table traffic_batches (
  process_id uuid not null,
  minute timestamptz not null,
  part int not null,
  primary key (process_id, minute, part)
);
create index traffic_batches_age on traffic_batches using brin (minute);

-- Which minutes of an hour a process has reported in full, one bit each.
create table traffic_reports (
  hour timestamptz not null,
  process_id uuid not null,
  minutes bigint not null default 0,
  -- Requests of applications for which the process had no room.
  others bigint not null default 0,
  primary key (hour, process_id)
);

-- The subject is a connection, or an application for all of its names together. Most updates stay on their page.
create table traffic_hours (
  tenant_id uuid not null,
  subject_id uuid not null,
  hour timestamptz not null,
  edge_id int not null,
  application_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  -- Clients that disconnected before the response.
  aborted bigint not null,
  status_1xx bigint not null,
  status_2xx bigint not null,
  status_3xx bigint not null,
  status_4xx bigint not null,
  status_5xx bigint not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  handshakes bigint not null,
  refused bigint not null,
  -- Of an application: requests that were not counted for their connection too.
  unattributed bigint not null,
  -- How often the origin took how long: (bucket << 40) + count, in the order of the buckets.
  origin_times bigint[] not null,
  primary key (tenant_id, subject_id, hour, edge_id)
) partition by range (hour);

-- The same by day, in UTC.
create table traffic_days (
  tenant_id uuid not null,
  subject_id uuid not null,
  day date not null,
  edge_id int not null,
  application_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  aborted bigint not null,
  status_1xx bigint not null,
  status_2xx bigint not null,
  status_3xx bigint not null,
  status_4xx bigint not null,
  status_5xx bigint not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  handshakes bigint not null,
  refused bigint not null,
  unattributed bigint not null,
  origin_times bigint[] not null,
  primary key (tenant_id, subject_id, day, edge_id)
) partition by range (day);

-- Which days are to be added up from their hours: those whose version is not the one that was.
create table traffic_day_states (
  day date primary key,
  version bigint not null default 0,
  rolled_version bigint
);

create table first_visits (
  connection_id uuid primary key,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  -- The minute.
  at timestamptz not null
);

do $$
declare t text;
begin
  foreach t in array array['traffic_hours', 'traffic_days', 'first_visits'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I for select to mooring_api
      using (tenant_id = (select app_tenant()) and environment = (select app_environment()))', t);
    execute format('create policy worker on %I to mooring_worker using (true) with check (true)', t);
    execute format('create policy operator on %I to mooring_operator using (true) with check (true)', t);
    execute format('create policy definer on %I to mooring_definer using (true) with check (true)', t);
    execute format('grant select on %I to mooring_api', t);
    execute format('grant select, delete on %I to mooring_worker', t);
    execute format('grant select, insert, update, delete on %I to mooring_operator, mooring_definer', t);
  end loop;
  foreach t in array array['traffic_edges', 'traffic_processes', 'traffic_batches', 'traffic_reports',
      'traffic_day_states'] loop
    execute format('grant select, delete on %I to mooring_worker', t);
    execute format('grant select, insert, update, delete on %I to mooring_operator, mooring_definer', t);
  end loop;
end
$$;
grant select on traffic_edges, traffic_day_states to mooring_api;
grant insert, update on traffic_days, traffic_day_states to mooring_worker;

-- Adds up the counts of equal buckets.
create function merge_times(times bigint[]) returns bigint[]
  language sql immutable parallel safe
  return (select coalesce(array_agg((bucket << 40) | amount order by bucket), '{}')
    from (select t >> 40 as bucket, sum(t & 1099511627775)::bigint as amount from unnest(times) t group by 1) b);

create aggregate add_times(bigint[]) (
  sfunc = array_cat, stype = bigint[], initcond = '{}', finalfunc = merge_times
);

-- Partitions: one for each day of hours, one for each month of days. Attached, so that readers and writers do not wait.
create function add_traffic_partition(at timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC'
  as $$
declare
  part record;
begin
  for part in
    select 'traffic_hours' as parent, to_char(at, '"traffic_hours_"YYYYMMDD') as name,
      date_trunc('day', at) as since, date_trunc('day', at) + interval '1 day' as until
    union all
    select 'traffic_days', to_char(at, '"traffic_days_"YYYYMM'), date_trunc('month', at),
      date_trunc('month', at) + interval '1 month'
  loop
    continue when to_regclass('public.' || part.name) is not null;
    perform pg_advisory_xact_lock(hashtextextended(part.name, 0));
    -- Not by to_regclass, which may still answer as before the wait.
    continue when exists (select from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relname = part.name);
    execute format('create table public.%I (like public.%I including all) with (fillfactor = 80)', part.name, part.parent);
    -- Nobody reads it but through the whole table.
    execute format('alter table public.%I enable row level security', part.name);
    execute format('alter table public.%I force row level security', part.name);
    execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
      part.parent, part.name, part.since, part.until);
  end loop;
end $$;
revoke execute on function add_traffic_partition(timestamptz) from public;
grant execute on function add_traffic_partition(timestamptz) to mooring_definer, mooring_worker, mooring_operator;

-- Drops the partitions that end before: hours and days. Waits for a second at most; the next call tries again.
create function drop_traffic_partitions(hours_before timestamptz, days_before timestamptz) returns int
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC'
  set lock_timeout = '1s'
  as $$
declare
  part record;
  dropped int := 0;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('public.traffic_hours'::regclass, 'public.traffic_days'::regclass)
      and c.relname < case i.inhparent when 'public.traffic_hours'::regclass
        then to_char(hours_before, '"traffic_hours_"YYYYMMDD') else to_char(days_before, '"traffic_days_"YYYYMM') end
    order by c.relname
  loop
    execute format('drop table %s', part.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_traffic_partitions(timestamptz, timestamptz) from public;
grant execute on function drop_traffic_partitions(timestamptz, timestamptz) to mooring_worker, mooring_operator;

-- For a restore: moves the rows of the table's default partition to partitions of their own, and drops it.
create function spread_traffic_rows(parent regclass, loaded regclass) returns void
  language plpgsql set search_path = pg_catalog, public set timezone = 'UTC'
  as $$
declare
  part record;
  key text := case parent when 'public.traffic_hours'::regclass then 'hour' else 'day' end;
begin
  -- Of both tables: a partition of either cannot be added beside a default one that has rows for it.
  for part in select i.inhparent::regclass as of_table, i.inhrelid::regclass as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('public.traffic_hours'::regclass, 'public.traffic_days'::regclass)
      and c.relname like '%\_loading'
  loop
    execute format('alter table %s detach partition %s', part.of_table, part.name);
  end loop;
  for part in execute format('select distinct date_trunc(''day'', %I::timestamptz) as at from %s', key, loaded) loop
    perform public.add_traffic_partition(part.at);
  end loop;
  execute format('insert into %s select * from %s', parent, loaded);
  execute format('drop table %s', loaded);
end $$;
revoke execute on function spread_traffic_rows(regclass, regclass) from public;

-- Every process that says that it runs is one whose minutes are expected, also one of an earlier release.
create function note_edge_process() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  insert into public.traffic_processes as p (id, started_at, seen_at)
    values (new.id, new.started_at, new.last_seen_at)
    on conflict (id) do update set seen_at = excluded.seen_at;
  return null;
end $$;
alter function note_edge_process() owner to mooring_definer;
create trigger edges_seen after insert or update on edges for each row execute function note_edge_process();
revoke execute on function note_edge_process() from public;

-- Merges a part of a batch: { process, edge, startedAt, minute, part, parts, isLast, others,
-- applications: [[tenant, environment, id]], rows: [[subject, application, aborted, 1xx … 5xx, bytes in, bytes out,
-- handshakes, refused, unattributed, origin times]] }, a row's application by its number in the list. False for one
-- that was merged before, or is too old to know that. Rows are taken in the order of their keys, so that two processes
-- do not wait for each other.
create function report_traffic(batch jsonb, at timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog, public set timezone = 'UTC'
  as $$
declare
  process uuid := (batch->>'process')::uuid;
  of_minute timestamptz := date_trunc('minute', (batch->>'minute')::timestamptz);
  of_hour timestamptz := date_trunc('hour', of_minute);
  edge int;
  is_whole boolean;
begin
  if of_minute < at - interval '47 hours' or of_minute > at + interval '10 minutes' then return false; end if;
  insert into public.traffic_batches (process_id, minute, part)
    values (process, of_minute, (batch->>'part')::int) on conflict do nothing;
  if not found then return false; end if;
  select e.id into edge from public.traffic_edges e where e.name = batch->>'edge';
  if edge is null then
    insert into public.traffic_edges as e (name) values (batch->>'edge')
      on conflict (name) do update set name = excluded.name returning e.id into edge;
  end if;
  perform public.add_traffic_partition(of_hour);

  insert into public.traffic_hours as h (tenant_id, subject_id, hour, edge_id, application_id, environment, aborted,
      status_1xx, status_2xx, status_3xx, status_4xx, status_5xx, bytes_in, bytes_out, handshakes, refused,
      unattributed, origin_times)
    select (a->>0)::uuid, (r->>0)::uuid, of_hour, edge, (a->>2)::uuid, a->>1, (r->>2)::bigint,
      (r->>3)::bigint, (r->>4)::bigint, (r->>5)::bigint, (r->>6)::bigint, (r->>7)::bigint, (r->>8)::bigint,
      (r->>9)::bigint, (r->>10)::bigint, (r->>11)::bigint, (r->>12)::bigint,
      array(select t::bigint from jsonb_array_elements_text(r->13) t)
    from jsonb_array_elements(batch->'rows') r, lateral (select batch->'applications'->(r->>1)::int as a) l
    order by 1, 2
    on conflict (tenant_id, subject_id, hour, edge_id) do update set
      aborted = h.aborted + excluded.aborted,
      status_1xx = h.status_1xx + excluded.status_1xx,
      status_2xx = h.status_2xx + excluded.status_2xx,
      status_3xx = h.status_3xx + excluded.status_3xx,
      status_4xx = h.status_4xx + excluded.status_4xx,
      status_5xx = h.status_5xx + excluded.status_5xx,
      bytes_in = h.bytes_in + excluded.bytes_in,
      bytes_out = h.bytes_out + excluded.bytes_out,
      handshakes = h.handshakes + excluded.handshakes,
      refused = h.refused + excluded.refused,
      unattributed = h.unattributed + excluded.unattributed,
      origin_times = public.merge_times(h.origin_times || excluded.origin_times);

  insert into public.first_visits (connection_id, tenant_id, environment, at)
    select (r->>0)::uuid, (a->>0)::uuid, a->>1, of_minute
    from jsonb_array_elements(batch->'rows') r, lateral (select batch->'applications'->(r->>1)::int as a) l
    where (r->>0) <> (a->>2)
      and (r->>3)::bigint + (r->>4)::bigint + (r->>5)::bigint + (r->>6)::bigint + (r->>7)::bigint > 0
      and not exists (select from public.first_visits v where v.connection_id = (r->>0)::uuid)
    order by 1
    on conflict do nothing;

  insert into public.traffic_processes as p (id, started_at, last_minute, ended)
    values (process, (batch->>'startedAt')::timestamptz, of_minute, (batch->>'isLast')::boolean)
    on conflict (id) do update set last_minute = greatest(p.last_minute, excluded.last_minute),
      ended = p.ended or excluded.ended;
  is_whole := (batch->>'parts')::int = (select count(*) from public.traffic_batches b
    where b.process_id = process and b.minute = of_minute);
  insert into public.traffic_reports as t (hour, process_id, minutes, others)
    values (of_hour, process, case when is_whole then 1::bigint << extract(minute from of_minute)::int else 0 end,
      (batch->>'others')::bigint)
    on conflict (hour, process_id) do update set minutes = t.minutes | excluded.minutes,
      others = t.others + excluded.others;
  -- Last, because others wait for it. A day that may have been added up already is so again.
  insert into public.traffic_day_states as d (day) values (of_hour::date)
    on conflict (day) do update set version = d.version + 1 where at >= of_hour::date + 1;
  return true;
end $$;
alter function report_traffic(jsonb, timestamptz) owner to mooring_definer;
revoke execute on function report_traffic(jsonb, timestamptz) from public;
grant execute on function report_traffic(jsonb, timestamptz) to mooring_edge;

-- For each hour: how many minutes of processes there were, of how many the counts have come, and how many requests
-- were of applications for which there was no room. A process that ended without a word may have run for half a minute
-- after it was last seen.
create function traffic_coverage(since timestamptz, until timestamptz)
  returns table (hour timestamptz, expected int, reported int, others bigint)
  language sql stable security definer set search_path = pg_catalog, public set timezone = 'UTC'
  as $$
  with processes as (
    select p.id, date_trunc('minute', p.started_at) as first_minute,
      greatest(p.last_minute, case when not p.ended then date_trunc('minute', p.seen_at + interval '30 seconds') end)
        as last_minute
    from public.traffic_processes p where p.started_at < until
  )
  select h.hour,
    sum(extract(epoch from least(p.last_minute, h.hour + interval '59 minutes')
      - greatest(p.first_minute, h.hour)) / 60 + 1)::int,
    sum(coalesce(bit_count(t.minutes::bit(64)), 0))::int, sum(coalesce(t.others, 0))::bigint
  from generate_series(date_trunc('hour', since), until - interval '1 microsecond', interval '1 hour') h (hour)
    join processes p on p.first_minute < h.hour + interval '1 hour' and p.last_minute >= h.hour
    left join public.traffic_reports t on t.hour = h.hour and t.process_id = p.id
  group by h.hour
$$;
alter function traffic_coverage(timestamptz, timestamptz) owner to mooring_definer;
revoke execute on function traffic_coverage(timestamptz, timestamptz) from public;
grant execute on function traffic_coverage(timestamptz, timestamptz) to mooring_api, mooring_worker, mooring_operator;
