-- An edge that is not ours learns with the origin which name the origin wants to be called by. Takes
-- the place of hostname_origin, whose parameter was read as the application's column of that name.
create function hostname_route(wanted text)
  returns table (origin_url text, origin_host_header text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select a.origin_url, a.origin_host_header
        from public.claims c
        join public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname = wanted and a.origin_url is not null $$;

alter function hostname_route(text) owner to mooring_definer;
revoke execute on function hostname_route(text) from public;
grant execute on function hostname_route(text) to mooring_api;
