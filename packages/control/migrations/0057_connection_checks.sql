-- The queue of checks is a narrow table, so that a check that changes nothing writes a few bytes instead of a whole
-- connection with all its indexes.

-- One row for each connection that is not archived. It has when the connection is checked next, and who is checking it.
-- The rows of a tenant are together; a third of each page is free, so that a new version stays on its page.
create table connection_checks (
  connection_id uuid not null references connections (id) on delete cascade,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  -- check_lane of the connection.
  lane int not null check (lane between 0 and 2),
  -- While it is leased, when the lease ends; null when it is not checked.
  due_at timestamptz,
  leased_until timestamptz,
  -- Grows with each lease and with each write of the connection: a check names the one that it was leased with.
  version bigint not null default 0,
  -- Due again as soon as the running check has ended.
  recheck_requested boolean not null default false,
  -- Runs in a row that failed because of the row.
  failures int not null default 0,
  last_checked_at timestamptz,
  -- When a check last saw what the connection has as observed records.
  observed_at timestamptz,
  primary key (connection_id, tenant_id)
) partition by hash (tenant_id);

do $$
begin
  for part in 0..7 loop
    execute format('create table connection_checks_%1$s partition of connection_checks
      for values with (modulus 8, remainder %1$s)
      with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)', part);
    -- Nobody reads it but through the whole table.
    execute format('alter table connection_checks_%s enable row level security', part);
    execute format('alter table connection_checks_%s force row level security', part);
  end loop;
end
$$;

create index connection_checks_queue on connection_checks (tenant_id, environment, lane, due_at)
  where due_at is not null;

alter table connection_checks enable row level security;
alter table connection_checks force row level security;
create policy tenant on connection_checks to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on connection_checks to mooring_worker using (true) with check (true);
create policy operator on connection_checks to mooring_operator using (true) with check (true);
create policy definer on connection_checks to mooring_definer using (true) with check (true);
grant select, update on connection_checks to mooring_api, mooring_worker;
grant select, insert, update, delete on connection_checks to mooring_operator, mooring_definer;

-- As for connections before: a row that becomes due sooner, or in another lane, brings its queue's turn forward.
create or replace function bring_turn_forward() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  perform pg_advisory_xact_lock_shared(public.check_queue_key(new.tenant_id, new.environment, new.lane));
  update public.check_queues q set turn_at = new.due_at
    where q.tenant_id = new.tenant_id and q.environment = new.environment and q.lane = new.lane
      and q.turn_at > new.due_at;
  if not found and not exists (select from public.check_queues q where q.tenant_id = new.tenant_id
      and q.environment = new.environment and q.lane = new.lane) then
    insert into public.check_queues as q (tenant_id, environment, lane, turn_at)
      values (new.tenant_id, new.environment, new.lane, new.due_at)
      on conflict on constraint check_queues_pkey do update set turn_at = excluded.turn_at
        where q.turn_at > excluded.turn_at;
  end if;
  return null;
end $$;

drop trigger connections_queued on connections;
drop trigger connections_requeued on connections;
create constraint trigger connection_checks_queued after insert on connection_checks
  deferrable initially deferred for each row
  when (new.due_at is not null) execute function bring_turn_forward();
create constraint trigger connection_checks_requeued after update of due_at, lane on connection_checks
  deferrable initially deferred for each row
  when (new.due_at is not null and (old.due_at is null or new.due_at < old.due_at or new.lane <> old.lane))
  execute function bring_turn_forward();

-- A write of a connection that names `due_at` puts it into the queue in the same transaction: so no writer can forget
-- it, and the release before, which knows of `connections.due_at` alone, works beside this one. What this release
-- does without a write of the connection (a claim, a check that changes nothing, a request for a check) it does in
-- connection_checks, and `connections.due_at` is then older. It is null for a connection that is not checked.
create function queue_check() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
declare
  is_insert boolean := tg_op = 'INSERT';
  new_lane int := public.check_lane(new.state, new.checks);
  -- A lease of the release before, and the end of one. No other writer sets leased_until.
  is_lease boolean := new.leased_until is not null;
  is_claim boolean := false;
  is_write boolean := false;
begin
  if new.state = 'archived' then
    delete from public.connection_checks k where k.connection_id = new.id and k.tenant_id = new.tenant_id;
    return null;
  end if;
  if not is_insert then
    is_claim := is_lease and new.version <> old.version;
    is_write := not is_lease
      and (new.version <> old.version or old.leased_until is not null or new.due_at is null);
  end if;
  loop
    update public.connection_checks k set
      lane = new_lane,
      due_at = case
        when is_write and new.due_at is not null and k.recheck_requested
          then least(new.due_at, new.last_checked_at)
        when is_write or is_lease or k.leased_until is null then new.due_at
        else k.due_at end,
      leased_until = case when is_write then null when is_lease then new.leased_until else k.leased_until end,
      version = k.version + case when is_write or is_claim then 1 else 0 end,
      recheck_requested = case when is_write or is_claim then false when is_lease then k.recheck_requested
        -- Requested while a check runs: it is repeated. A later time is what the check itself will set.
        else k.recheck_requested or (k.leased_until is not null and new.due_at <= k.leased_until) end,
      failures = case when is_write or new.failures <> old.failures then new.failures else k.failures end,
      last_checked_at = greatest(k.last_checked_at, new.last_checked_at)
    where k.connection_id = new.id and k.tenant_id = new.tenant_id;
    exit when found or new.due_at is null;
    insert into public.connection_checks (connection_id, tenant_id, environment, lane, due_at, leased_until, failures,
        last_checked_at)
      values (new.id, new.tenant_id, new.environment, new_lane, new.due_at, new.leased_until, new.failures,
        new.last_checked_at)
      on conflict do nothing;
    exit when found;
  end loop;
  return null;
end $$;
alter function queue_check() owner to mooring_definer;

create trigger connections_check_inserted after insert on connections for each row
  when (new.due_at is not null) execute function queue_check();
create trigger connections_check_written after update of due_at on connections for each row
  execute function queue_check();

-- A worker of the release before sees a time that may be old. What a worker of this release has leased it does not get.
create function refuse_lease() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  if exists (select from public.connection_checks k where k.connection_id = new.id and k.tenant_id = new.tenant_id
      and k.leased_until is distinct from old.leased_until and k.leased_until > new.leased_until - interval '30 seconds')
  then
    return null;
  end if;
  return new;
end $$;
alter function refuse_lease() owner to mooring_definer;
create trigger connections_lease before update of leased_until on connections for each row
  when (new.leased_until is not null and new.version > old.version) execute function refuse_lease();

-- As before, from the narrow table.
create or replace function settle_queues(at timestamptz, tenants uuid[], environments text[], lanes int[])
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
    select k.due_at into first_due from public.connection_checks k
      where k.tenant_id = q.tenant_id and k.environment = q.environment and k.lane = q.lane and k.due_at is not null
      order by k.due_at limit 1;
    next_turn := case when first_due is null then 'infinity'
      when first_due > at then first_due
      when q.is_served then at
      else q.turn_at end;
    update public.check_queues set turn_at = next_turn
      where tenant_id = q.tenant_id and environment = q.environment and lane = q.lane and turn_at <> next_turn;
  end loop;
end $$;

create or replace function recheck_connection(connection uuid, moment timestamptz) returns void
  language sql volatile security definer set search_path = pg_catalog, public
  as $$ update public.connection_checks set
          due_at = case when leased_until is null or leased_until <= moment then moment else due_at end,
          recheck_requested = leased_until is not null and leased_until > moment
        where connection_id = connection and due_at is not null;
        select pg_notify('mooring_due', 'connections') $$;

-- As before, with what checks have seen since the connection was written.
create or replace function read_connections(tenants uuid[], environments text[], ids uuid[])
  returns table (tenant_id uuid, environment text, connection json)
  language plpgsql volatile set search_path = pg_catalog, public set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  scope record;
begin
  for scope in
    select w.tenant, w.environment, array_agg(w.id) as ids from unnest(tenants, environments, ids)
      as w (tenant, environment, id) group by w.tenant, w.environment
  loop
    perform set_config('app.tenant', scope.tenant::text, true),
            set_config('app.environment', scope.environment, true);
    return query
      select c.tenant_id, c.environment, to_json(row) from unnest(scope.ids) as wanted (id)
        cross join lateral (select * from public.connections i where i.id = wanted.id offset 0) c
      left join public.certificates s on s.hostname = c.hostname and s.connection_id = c.id
      left join lateral (select k.last_checked_at, k.observed_at from public.connection_checks k
        where k.connection_id = c.id and k.tenant_id = scope.tenant offset 0) k on true
      cross join lateral (select c.*, k.last_checked_at as checked_at, k.observed_at,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due, s.source as certificate_source,
        s.fingerprint as certificate_fingerprint) as row
      where c.id = any (scope.ids);
  end loop;
end $$;

do $migration$
begin
  execute replace(replace($function$
    create or replace function page_connections(tenants uuid[], environments text[], states text[],
        hostnames text[], after_created_ats timestamptz[], after_ids uuid[], page_sizes int[])
      returns setof json
      language plpgsql volatile set search_path = pg_catalog, public set plan_cache_mode = force_generic_plan
      as $$
    declare
      w record;
      page json;
    begin
      for w in
        select r.tenant, r.environment, r.state, r.hostname, coalesce(r.created_at, 'infinity') as before_at,
          coalesce(r.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as before_id, r.page_size
        from unnest(tenants, environments, states, hostnames, after_created_ats, after_ids, page_sizes)
          with ordinality as r (tenant, environment, state, hostname, created_at, id, page_size, position)
        order by r.position
      loop
        perform set_config('app.tenant', w.tenant::text, true),
                set_config('app.environment', w.environment, true);
        if w.hostname is not null then
          select json_agg(row) into page from (
            select :columns from public.connections c :checks
            where c.tenant_id = w.tenant and c.environment = w.environment
              and (c.created_at, c.id) < (w.before_at, w.before_id)
              and c.hostname = w.hostname and (w.state is null or c.state = w.state)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.state is not null then
          select json_agg(row) into page from (
            select :columns from public.connections c :checks
            where c.tenant_id = w.tenant and c.environment = w.environment
              and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        else
          select json_agg(row) into page from (
            select :columns from public.connections c :checks
            where c.tenant_id = w.tenant and c.environment = w.environment
              and (c.created_at, c.id) < (w.before_at, w.before_id)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        end if;
        return next page;
      end loop;
    end $$
  $function$, ':columns', 'c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
      c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url, c.origin_host_header,
      c.customer_ref, c.cutover, c.phase_started_at, c.state_since,
      greatest(c.last_checked_at, k.last_checked_at) as last_checked_at, k.due_at, c.finding, c.created_at'),
    ':checks', 'left join lateral (select k.last_checked_at, k.due_at from public.connection_checks k
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true');
end
$migration$;

-- Queues the connections from before there was the table, some at a time: each piece is a transaction, and what
-- somebody else is writing is left for the next pass.
create procedure fill_connection_checks()
  language plpgsql
  as $$
declare
  piece_size constant int := 1000;
  last uuid;
  piece uuid[];
  is_complete boolean;
begin
  loop
    is_complete := true;
    last := '00000000-0000-0000-0000-000000000000';
    loop
      piece := array(select c.id from public.connections c
        where c.id > last and c.due_at is not null and not exists (select from public.connection_checks k
          where k.connection_id = c.id and k.tenant_id = c.tenant_id)
        order by c.id limit piece_size);
      exit when cardinality(piece) = 0;
      is_complete := false;
      last := piece[cardinality(piece)];
      insert into public.connection_checks (connection_id, tenant_id, environment, lane, due_at, leased_until, failures,
          last_checked_at)
        select c.id, c.tenant_id, c.environment, public.check_lane(c.state, c.checks), c.due_at, c.leased_until,
          c.failures, c.last_checked_at
        from public.connections c where c.id = any (piece) and c.due_at is not null
        for no key update skip locked
        on conflict do nothing;
      commit;
    end loop;
    exit when is_complete;
  end loop;
end $$;
revoke execute on function queue_check(), refuse_lease() from public;
revoke execute on procedure fill_connection_checks() from public;
