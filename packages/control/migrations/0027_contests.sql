-- Contests: somebody proves ownership of a hostname that another connection holds.

-- Of a prover its open contest; of a holder the open contests against it, with the earliest deadline.
alter table connections
  add column contest_since timestamptz,
  add column contest_deadline timestamptz;

-- One row for each proof against a holder. Tenant and environment are the prover's; it must not learn the holder.
create table contests (
  id uuid primary key,
  hostname text not null,
  prover_id uuid not null references connections (id),
  holder_id uuid not null references connections (id),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  since timestamptz not null,
  deadline timestamptz not null,
  ended_at timestamptz,
  -- Who has the name after it; void: the holder gave it up by itself.
  outcome text check (outcome in ('holder', 'prover', 'void')),
  check ((ended_at is null) = (outcome is null))
);
create unique index contests_open on contests (prover_id) where ended_at is null;
create index contests_against on contests (holder_id) where ended_at is null;
create index contests_lost on contests (hostname, tenant_id, environment, ended_at) where outcome = 'holder';
create index contests_ended on contests (ended_at) where ended_at is not null;

alter table contests enable row level security;
alter table contests force row level security;
create policy tenant on contests for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on contests to mooring_worker using (true) with check (true);
create policy operator on contests to mooring_operator using (true) with check (true);
grant select (hostname, tenant_id, environment, since, deadline, ended_at, outcome) on contests to mooring_api;
grant select, insert, update, delete on contests to mooring_worker, mooring_operator;

-- As before, with every column of the connection.
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
      select c.tenant_id, c.environment, to_json(row) from public.connections c
      left join public.certificates s on s.hostname = c.hostname and s.connection_id = c.id
      cross join lateral (select c.*,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due) as row
      where c.id = any (scope.ids);
  end loop;
end $$;

-- As before, with the contest.
create or replace function page_connections(tenants uuid[], environments text[], states text[], hostnames text[],
    after_created_ats timestamptz[], after_ids uuid[], page_sizes int[])
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
    perform set_config('app.tenant', w.tenant::text, true), set_config('app.environment', w.environment, true);
    if w.hostname is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
          and c.hostname = w.hostname and (w.state is null or c.state = w.state)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    elsif w.state is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    else
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    end if;
    return next page;
  end loop;
end $$;
