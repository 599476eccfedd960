-- As before, but a search beside another filter first asks the index of that filter. A pair that many names have is
-- searched from the newest names on, and where few of them pass the filter that reads them all.
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
    execute format('select array(select c.id from public.connections c
                                 where c.tenant_id = $1 and c.environment = $2%s limit %s)', others, rare + 1)
      into found
      using app_tenant(), app_environment(), pattern, found, states, filter;
    if cardinality(found) > rare then
      found := null;
    end if;
  end if;
  return query execute 'select c.id, ' || ordered || ' from public.connections c'
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
