-- Trouble of live connections: what is reported once when it begins, and once when it ends.

-- One row for each kind of trouble that a connection had; the episode is open while closed_at is null.
create table troubles (
  connection_id uuid not null references connections (id),
  kind text not null check (kind in ('certificate_expired', 'certificate_at_risk', 'origin_unreachable')),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  reason text not null,
  opened_at timestamptz not null,
  -- Since when the cause of an open episode is gone; the episode ends when it stays away.
  clear_since timestamptz,
  closed_at timestamptz,
  -- How many followed each other closely: the more, the longer the cause must stay away.
  episodes int not null,
  primary key (connection_id, kind)
);

alter table troubles enable row level security;
alter table troubles force row level security;
create policy tenant on troubles for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on troubles to mooring_worker using (true) with check (true);
create policy operator on troubles to mooring_operator using (true) with check (true);
create policy edge on troubles for select to mooring_edge using (true);
grant select on troubles to mooring_api;
grant select, insert, update, delete on troubles to mooring_worker, mooring_operator;
grant select (connection_id, kind, closed_at) on troubles to mooring_edge;

-- What the edges together see of the origins that fail. A healthy origin has no row.
create table origin_health (
  connection_id uuid primary key references connections (id),
  -- The last five requests that failed since the last one that did not.
  failures timestamptz[] not null,
  failing_since timestamptz,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  -- The first success since it was last unreachable; null while it is.
  success_since timestamptz
);
create index origin_health_failing on origin_health (connection_id) where failing_since is not null;

alter table origin_health enable row level security;
alter table origin_health force row level security;
create policy edge on origin_health to mooring_edge using (true) with check (true);
create policy worker on origin_health to mooring_worker using (true) with check (true);
create policy operator on origin_health to mooring_operator using (true) with check (true);
grant select, insert, update on origin_health to mooring_edge;
grant select, delete on origin_health to mooring_worker;
grant select, insert, update, delete on origin_health to mooring_operator;

alter table credentials
  -- Since when the provider refuses it, null while it works; and when that was last reported.
  add column failing_since timestamptz,
  add column failure_reported_at timestamptz;

-- Merges what one edge process saw of origins into the shared view: [{id, failures: [times], success: time}].
-- Only failures after the last success of any process count; a success alone makes no row. Rows are taken in
-- the order of their ids, so that two processes do not wait for each other. The other processes are told
-- which origins fail ("f") and which have stopped failing ("s"), in one notification: a call takes at most 200
-- reports. `change` says whose connection must be
-- checked: one that has become unreachable, or one that is reported as unreachable and is served again.
create function report_origins(reports jsonb) returns table (connection_id uuid, change text)
  language plpgsql volatile set search_path = pg_catalog, public
  as $$
#variable_conflict use_column
declare
  r record;
  o public.origin_health;
  was_failing boolean;
  is_unreachable boolean;
  is_reported boolean;
  failing text := '';
  serving text := '';
begin
  for r in
    select (e->>'id')::uuid as id, (e->>'success')::timestamptz as success,
      array(select f::timestamptz from jsonb_array_elements_text(e->'failures') f) as failures
    from jsonb_array_elements(reports) e order by 1
  loop
    if cardinality(r.failures) > 0 then
      insert into public.origin_health (connection_id, failures) values (r.id, '{}') on conflict do nothing;
    end if;
    select h.* into o from public.origin_health h where h.connection_id = r.id for update;
    continue when not found;
    was_failing := cardinality(o.failures) > 0;
    o.last_success_at := greatest(o.last_success_at, r.success);
    o.last_failure_at := greatest(o.last_failure_at, (select max(f) from unnest(r.failures) f));
    o.failures := array(select distinct f from unnest(o.failures || r.failures) f
      where o.last_success_at is null or f > o.last_success_at order by f);
    o.failing_since := case when o.failing_since <= o.last_success_at then o.failures[1]
      else least(o.failing_since, o.failures[1]) end;
    o.failures := o.failures[greatest(1, cardinality(o.failures) - 4):];
    is_unreachable := cardinality(o.failures) >= 5
      or coalesce(o.last_failure_at - o.failing_since >= interval '60 seconds', false);
    o.success_since := case when is_unreachable then null
      when o.success_since is null and cardinality(o.failures) = 0 then o.last_success_at
      else o.success_since end;
    update public.origin_health h set failures = o.failures, failing_since = o.failing_since,
      last_failure_at = o.last_failure_at, last_success_at = o.last_success_at, success_since = o.success_since
    where h.connection_id = r.id;
    if cardinality(o.failures) > 0 then
      failing := failing || ' ' || r.id;
    elsif was_failing then
      serving := serving || ' ' || r.id;
    end if;
    is_reported := exists (select from public.troubles t where t.connection_id = r.id
      and t.kind = 'origin_unreachable' and t.closed_at is null);
    connection_id := r.id;
    change := case
      when is_unreachable and not is_reported then 'unreachable'
      when is_reported and o.success_since is not null then 'serving' end;
    return next;
  end loop;
  if failing <> '' then perform pg_notify('mooring_origins', 'f' || failing); end if;
  if serving <> '' then perform pg_notify('mooring_origins', 's' || serving); end if;
end $$;
revoke execute on function report_origins(jsonb) from public;
grant execute on function report_origins(jsonb) to mooring_edge;
