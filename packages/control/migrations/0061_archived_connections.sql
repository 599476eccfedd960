-- Connections that were archived some time ago move out of the table that is written at every check.

-- Shorter than the time after which the server looks for a deadlock: whoever holds one of these tables and waits for
-- another goes on, and this is tried again.
set local lock_timeout = '500ms';
lock table connections in access exclusive mode;

-- A child of connections, so that whoever reads or changes a connection by its id, and every list, finds it in either
-- table, as its tenant and with no statement of its own. The conditions are those by which the planner leaves this
-- table out where an archived connection is not meant. Indexes and triggers of connections are not those of this
-- table: it has the indexes that lists of archived connections read, and nothing is triggered by it.
create table archived_connections (
  check (state = 'archived'),
  check (due_at is null),
  check (leased_until is null),
  check (parked_at is null),
  primary key (id),
  foreign key (application_id, tenant_id, environment) references applications (id, tenant_id, environment)
) inherits (connections);
create index archived_connections_page on archived_connections (tenant_id, environment, created_at desc, id desc);
create index archived_connections_by_hostname on archived_connections (hostname, created_at desc, id desc);
create index archived_connections_by_application
  on archived_connections (tenant_id, environment, application_id, created_at desc, id desc);
create index archived_connections_by_provider
  on archived_connections (tenant_id, environment, provider, created_at desc, id desc);
create index archived_connections_by_customer
  on archived_connections (tenant_id, environment, customer_ref, created_at desc, id desc)
  where customer_ref is not null;
create index archived_connections_by_error
  on archived_connections (tenant_id, environment, error_code, created_at desc, id desc) where error_code is not null;
create index archived_connections_wildcard
  on archived_connections (tenant_id, environment, created_at desc, id desc) where left(hostname, 2) = '*.';
create index archived_connections_first_live
  on archived_connections (tenant_id, environment, first_live_at) include (created_at) where first_live_at is not null;

-- Through connections its policies and grants hold; these are for who names this table.
alter table archived_connections enable row level security;
alter table archived_connections force row level security;
create policy tenant on archived_connections for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on archived_connections to mooring_worker using (true) with check (true);
create policy operator on archived_connections to mooring_operator using (true) with check (true);
create policy definer on archived_connections for select to mooring_definer using (true);
grant select on archived_connections to mooring_api, mooring_definer;
grant select, insert on archived_connections to mooring_worker;
grant select, insert, update, delete on archived_connections to mooring_operator;
grant delete on connections to mooring_worker;

-- A key that refers to connections does not see this table. What is still shown of a connection after its move, or is
-- removed by its own age, refers to an id of either table. A certificate goes with the hostname's claim, whose key
-- stays.
alter table events drop constraint events_connection_id_fkey;
alter table timeline drop constraint timeline_connection_id_fkey;
alter table dns_writes drop constraint dns_writes_connection_id_fkey;
alter table connection_search drop constraint connection_search_connection_id_fkey;
alter table email_setups drop constraint email_setups_connection_id_fkey;
alter table sending_domains drop constraint sending_domains_connection_id_fkey;
alter table domain_connect_attempts drop constraint domain_connect_attempts_connection_id_fkey;
alter table domain_connect_grants drop constraint domain_connect_grants_connection_id_fkey;
alter table contests drop constraint contests_prover_id_fkey, drop constraint contests_holder_id_fkey;
alter table certificates drop constraint certificates_connection_id_fkey;

-- What starts at a claim, or asks for connections that serve, never means an archived one: it reads the one table.
do $migration$
declare
  f regprocedure;
begin
  for f in
    select p.oid from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname in ('claim_holder', 'edge_claims', 'edge_hosts',
      'edge_hosts_of', 'hostname_origin', 'hostname_route', 'note_target_change', 'note_validation_claim',
      'publish_validation', 'sandbox_live_since', 'served_hosts', 'validation_label_of', 'validation_names')
  loop
    execute regexp_replace(pg_get_functiondef(f), '\m(from|join) public\.connections\M',
      '\1 only public.connections', 'g');
  end loop;
  execute 'create or replace view pdns_records as '
    || regexp_replace(pg_get_viewdef('pdns_records'::regclass), '\mFROM connections\M', 'FROM ONLY connections');
end
$migration$;

-- As before; an id is looked for among the archived ones when it is nowhere else.
do $migration$
begin
  execute replace(pg_get_functiondef('read_connections(uuid[], text[], uuid[])'::regprocedure),
    'from public.connections i where i.id = wanted.id offset 0', 'from public.connections i where i.id = wanted.id limit 1');
end
$migration$;

-- As before; a list of another state does not look at archived connections.
do $migration$
begin
  execute replace(replace(replace($function$
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
        if w.hostname is not null and w.state <> 'archived' then
          select json_agg(row) into page from (
            select :columns from only public.connections c :checks where :own
              and c.hostname = w.hostname and c.state = w.state
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.hostname is not null then
          select json_agg(row) into page from (
            select :columns from public.connections c :checks where :own
              and c.hostname = w.hostname and (w.state is null or c.state = w.state)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.state <> 'archived' then
          select json_agg(row) into page from (
            select :columns from only public.connections c :checks where :own and c.state = w.state
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.state is not null then
          select json_agg(row) into page from (
            select :columns from public.connections c :checks where :own and c.state = 'archived'
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        else
          select json_agg(row) into page from (
            select :columns from public.connections c :checks where :own
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
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true'),
    ':own', 'c.tenant_id = w.tenant and c.environment = w.environment
      and (c.created_at, c.id) < (w.before_at, w.before_id)');
end
$migration$;

-- As before; states other than archived are looked for in the one table.
create or replace function list_connections(filter jsonb, after_at timestamptz, after_id uuid, at_most int)
  returns table (id uuid, at timestamptz)
  language plpgsql volatile security definer set search_path = pg_catalog, public
  as $$
declare
  -- What more names have fills a page from the newest ones soon.
  rare constant int := 5000;
  needle text := filter ->> 'q';
  is_stuck boolean := filter ->> 'sort' = 'stuck_since';
  ordered text := case when filter ->> 'sort' = 'stuck_since' then 'coalesce(c.state_since, c.phase_started_at)'
                       when filter ? 'q' then 's.created_at' else 'c.created_at' end;
  key text := case when filter ? 'q' and filter ->> 'sort' is distinct from 'stuck_since'
                   then 's.connection_id' else 'c.id' end;
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  states text[] := (select array_agg(s) from jsonb_array_elements_text(filter -> 'states') as s);
  others text :=
    case when states is not null then ' and c.state = any ($5)' else '' end
    || case when filter ? 'application_id' then ' and c.application_id = ($6 ->> ''application_id'')::uuid' else '' end
    || case when filter ? 'error_code' then ' and c.error_code = $6 ->> ''error_code''' else '' end
    || case when filter ? 'provider' then ' and c.provider = $6 ->> ''provider''' else '' end
    || case when filter ? 'customer_ref' then ' and c.customer_ref = $6 ->> ''customer_ref''' else '' end
    || case when filter ? 'hostname' then ' and c.hostname = $6 ->> ''hostname''' else '' end
    || case filter ->> 'wildcard' when 'true' then ' and left(c.hostname, 2) = ''*.'''
                                  when 'false' then ' and left(c.hostname, 2) <> ''*.''' else '' end
    || case when filter ->> 'sort' = 'stuck_since' and states is null
            then ' and c.state <> ''archived'' and (c.state <> ''live'' or c.error_code is not null)' else '' end;
  -- Without those that have moved where none of them is meant: they are all archived.
  source text := case when not 'archived' = any (states) or states is null and filter ->> 'sort' = 'stuck_since'
                      then 'only public.connections' else 'public.connections' end;
  found uuid[];
begin
  if length(needle) = 2 then
    found := array(select s.connection_id from public.connection_search s
                   where s.tenant_id = app_tenant() and s.environment = app_environment()
                     and public.text_pairs(s.text) @> array[needle] limit rare + 1);
    if cardinality(found) > rare then
      found := null;
    end if;
  end if;
  if found is null and needle is not null and others <> '' then
    execute format('select array(select c.id from %s c
                                 where c.tenant_id = $1 and c.environment = $2%s limit %s)', source, others, rare + 1)
      into found
      using app_tenant(), app_environment(), pattern, found, states, filter;
    if cardinality(found) > rare then
      found := null;
    end if;
  end if;
  return query execute 'select c.id, ' || ordered || ' from ' || source || ' c'
    || case when filter ? 'q' then ' join public.connection_search s on s.connection_id = c.id' else '' end
    || case when filter ? 'q' then ' where s.tenant_id = $1 and s.environment = $2 and s.text like $3'
            else ' where c.tenant_id = $1 and c.environment = $2' end
    || case when found is not null then ' and s.connection_id = any ($4)' else '' end
    || others
    || case when after_id is null then '' when is_stuck then format(' and (%s, %s) > ($7, $8)', ordered, key)
            else format(' and (%s, %s) < ($7, $8)', ordered, key) end
    || format(' order by %1$s %3$s, %2$s %3$s limit $9', ordered, key, case when is_stuck then 'asc' else 'desc' end)
  using app_tenant(), app_environment(), pattern, found, states, filter, after_at, after_id, at_most;
end
$$;
