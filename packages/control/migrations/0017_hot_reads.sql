-- The reads that clients repeat all the time, as functions with cached plans. Each sets the tenant and
-- reads in one statement, under row level security: they run as the caller, who is bound by it.

-- One connection with its certificate for each (tenant, environment, id), as JSON; absent ones are left out.
-- Each tenant's rows are read as that tenant.
create function read_connections(tenants uuid[], environments text[], ids uuid[])
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
      cross join lateral (select c.id, c.tenant_id, c.environment, c.application_id, c.hostname,
        c.registrable_domain, c.kind, c.setup_type, c.state, c.provider, c.batch_id, c.error_code, c.challenge,
        c.may_use_credentials, c.desired_records, c.observed_records, c.phase_started_at, c.checks, c.misses,
        c.first_miss_at, c.last_checked_at, c.first_live_at, c.certificate_id, c.sequence, c.version,
        c.created_at, c.archived_at,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch) as row
      where c.id = any (scope.ids);
  end loop;
end $$;

-- For each request a page of a tenant's connections, newest first, as a JSON array or null; in the order of
-- the requests. Without a position a page starts at the newest; the comparison is the same, so that the
-- first page and the last have one plan.
create function page_connections(tenants uuid[], environments text[], states text[], hostnames text[],
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
          c.batch_id, c.error_code, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
          and c.hostname = w.hostname and (w.state is null or c.state = w.state)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    elsif w.state is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    else
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    end if;
    return next page;
  end loop;
end $$;

revoke execute on function read_connections(uuid[], text[], uuid[]),
  page_connections(uuid[], text[], text[], text[], timestamptz[], uuid[], int[]) from public;
grant execute on function read_connections(uuid[], text[], uuid[]),
  page_connections(uuid[], text[], text[], text[], timestamptz[], uuid[], int[]) to mooring_api;

-- UUID v7 (RFC 9562 §5.7) for rows that a statement makes many of: ids sort by age, and the index of the
-- table with the most inserts grows at one end. The version bits of a random UUID are 0100; v7's are 0111.
create function new_id(at timestamptz) returns uuid
  language sql volatile set search_path = pg_catalog
  as $$ select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid $$;
revoke execute on function new_id(timestamptz) from public;
grant execute on function new_id(timestamptz) to mooring_api, mooring_worker, mooring_operator;
