-- Lists of connections with more columns and filters.

-- As before, with what a list shows beside the connection. Columns that another file of this release may add are
-- taken when they are there.
do $migration$
declare
  columns text;
begin
  select string_agg('c.' || w.name, ', ' order by w.position) into columns
  from unnest(array['id', 'application_id', 'environment', 'hostname', 'kind', 'setup_type', 'state', 'provider',
      'batch_id', 'error_code', 'contest_since', 'contest_deadline', 'redirect_to', 'origin_url',
      'origin_host_header', 'customer_ref', 'cutover', 'phase_started_at', 'state_since', 'last_checked_at', 'due_at',
      'finding', 'created_at']) with ordinality as w (name, position)
  join pg_attribute a on a.attrelid = 'public.connections'::regclass and a.attname = w.name and not a.attisdropped;
  execute replace($function$
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
            select :columns from public.connections c
            where c.tenant_id = w.tenant and c.environment = w.environment
              and (c.created_at, c.id) < (w.before_at, w.before_id)
              and c.hostname = w.hostname and (w.state is null or c.state = w.state)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.state is not null then
          select json_agg(row) into page from (
            select :columns from public.connections c
            where c.tenant_id = w.tenant and c.environment = w.environment
              and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        else
          select json_agg(row) into page from (
            select :columns from public.connections c
            where c.tenant_id = w.tenant and c.environment = w.environment
              and (c.created_at, c.id) < (w.before_at, w.before_id)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        end if;
        return next page;
      end loop;
    end $$
  $function$, ':columns', columns);
end
$migration$;

-- The ids of one page of the tenant's connections in the order of the list, by any set of filters: the statement has
-- the conditions that are asked for and no others, so that it is planned for them. It runs as mooring_definer because
-- row level security lets no index serve an operator like LIKE; the tenant is the transaction's own, as there.
create function list_connections(filter jsonb, after_at timestamptz, after_id uuid, at_most int)
  returns table (id uuid, at timestamptz)
  language plpgsql volatile security definer set search_path = pg_catalog, public
  as $$
declare
  needle text := filter ->> 'q';
  is_stuck boolean := filter ->> 'sort' = 'stuck_since';
  ordered text := case when filter ->> 'sort' = 'stuck_since' then 'coalesce(c.state_since, c.phase_started_at)'
                       when filter ? 'q' then 's.created_at' else 'c.created_at' end;
  key text := case when filter ? 'q' and filter ->> 'sort' is distinct from 'stuck_since'
                   then 's.connection_id' else 'c.id' end;
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  states text[] := (select array_agg(s) from jsonb_array_elements_text(filter -> 'states') as s);
begin
  return query execute 'select c.id, ' || ordered || ' from public.connections c'
    || case when filter ? 'q' then ' join public.connection_search s on s.connection_id = c.id' else '' end
    || case when filter ? 'q' then ' where s.tenant_id = $1 and s.environment = $2 and s.text like $3'
            else ' where c.tenant_id = $1 and c.environment = $2' end
    || case when length(needle) = 2 then ' and public.text_pairs(s.text) @> array[$4]' else '' end
    || case when states is not null then ' and c.state = any ($5)' else '' end
    || case when filter ? 'application_id' then ' and c.application_id = ($6 ->> ''application_id'')::uuid' else '' end
    || case when filter ? 'error_code' then ' and c.error_code = $6 ->> ''error_code''' else '' end
    || case when filter ? 'provider' then ' and c.provider = $6 ->> ''provider''' else '' end
    || case when filter ? 'customer_ref' then ' and c.customer_ref = $6 ->> ''customer_ref''' else '' end
    || case when filter ? 'hostname' then ' and c.hostname = $6 ->> ''hostname''' else '' end
    || case filter ->> 'wildcard' when 'true' then ' and left(c.hostname, 2) = ''*.'''
                                  when 'false' then ' and left(c.hostname, 2) <> ''*.''' else '' end
    || case when is_stuck and states is null
            then ' and c.state <> ''archived'' and (c.state <> ''live'' or c.error_code is not null)' else '' end
    || case when after_id is null then '' when is_stuck then format(' and (%s, %s) > ($7, $8)', ordered, key)
            else format(' and (%s, %s) < ($7, $8)', ordered, key) end
    || format(' order by %1$s %3$s, %2$s %3$s limit $9', ordered, key, case when is_stuck then 'asc' else 'desc' end)
  using app_tenant(), app_environment(), pattern, needle, states, filter, after_at, after_id, at_most;
end
$$;
alter function list_connections(jsonb, timestamptz, uuid, int) owner to mooring_definer;
revoke execute on function list_connections(jsonb, timestamptz, uuid, int) from public;
grant execute on function list_connections(jsonb, timestamptz, uuid, int) to mooring_api;

-- A search also finds the customer, where connections have one.
create or replace function note_connection_search() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  -- The foreign key holds a lock by now, so that no deletion of the application is missed.
  if tg_op = 'INSERT' and exists (
      select from public.applications a where a.id = new.application_id and a.deleted_at is not null) then
    raise foreign_key_violation using message = 'the application was deleted';
  end if;
  insert into public.connection_search (connection_id, tenant_id, environment, text, created_at)
  values (new.id, new.tenant_id, new.environment,
          lower(concat_ws(E'\n', new.hostname, to_jsonb(new) ->> 'customer_ref')), new.created_at)
  on conflict (connection_id) do update set text = excluded.text;
  return null;
end
$$;
do $$
begin
  if exists (select from pg_attribute where attrelid = 'public.connections'::regclass
             and attname = 'customer_ref' and not attisdropped) then
    create trigger connection_search_customer after update of customer_ref on connections
      for each row when (old.customer_ref is distinct from new.customer_ref)
      execute function note_connection_search();
  end if;
end
$$;

-- A deleted application has archived connections and revoked keys, so that its row stays. The API no longer sees it.
alter table applications add column deleted_at timestamptz;
alter policy tenant on applications
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()) and deleted_at is null);
create or replace function find_widget_grants(key_ids uuid[], application_ids uuid[])
  returns table (key_id uuid, application_id uuid, tenant_id uuid, environment text, allowed_origins text[])
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.id, a.id, a.tenant_id, a.environment, a.allowed_origins
        from unnest(key_ids, application_ids) as t (key_id, application_id)
        join public.api_keys k on k.id = t.key_id and k.revoked_at is null
        join public.applications a on a.id = t.application_id and a.deleted_at is null
          and a.tenant_id = k.tenant_id and a.environment = k.environment $$;
create or replace function origin_is_listed(origin text) returns boolean
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select exists (select from public.applications a
                       where a.allowed_origins @> array[origin] and a.deleted_at is null) $$;
grant delete on webhook_endpoints, credentials to mooring_worker;
