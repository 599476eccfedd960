-- A connection is read by its id alone, whichever tenant it belongs to. With row level security the planner
-- assumed that a tenant has few connections, and read all of a large tenant's to find one of them.
do $$
declare
  f regprocedure;
begin
  for f in select p.oid from pg_proc p
    where p.proname = 'read_connections' and p.pronamespace = 'public'::regnamespace
  loop
    execute regexp_replace(pg_get_functiondef(f), 'from public\.connections c(\s+left join public\.certificates)',
      'from unnest(scope.ids) as wanted (id)
        cross join lateral (select * from public.connections i where i.id = wanted.id offset 0) c\1');
  end loop;
end
$$;
