-- How the edge serves the hostnames of an application: one object, whose keys the API validates.
alter table applications add column edge jsonb not null default '{}';

-- Claimed hosts without what belongs to their applications: an edge keeps the two apart, so that a change
-- of an application is one row for it, however many hostnames it has. Takes the place of edge_hosts and
-- edge_hosts_of, which edges of the previous release still call.
create function edge_claims(after_name text, at_most int, names text[])
  returns table (hostname text, epoch bigint, environment text, connection_id uuid, application_id uuid,
    tenant_id uuid, registrable_domain text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain
        from public.claims c
        join public.connections k on k.id = c.connection_id
        where c.hostname > after_name and (names is null or c.hostname = any (names))
        order by c.hostname limit at_most $$;

create function edge_applications(wanted uuid[])
  returns table (id uuid, tenant_id uuid, environment text, origin_url text, origin_host_header text,
    edge jsonb)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select a.id, a.tenant_id, a.environment, a.origin_url, a.origin_host_header, a.edge
        from public.applications a where a.id = any (wanted) $$;

alter function edge_claims(text, int, text[]) owner to mooring_definer;
alter function edge_applications(uuid[]) owner to mooring_definer;
revoke execute on function edge_claims(text, int, text[]), edge_applications(uuid[]) from public;
grant execute on function edge_claims(text, int, text[]), edge_applications(uuid[]) to mooring_edge;

create or replace trigger origin_change
  after update of origin_url, origin_host_header, edge on applications
  for each row when (old.origin_url is distinct from new.origin_url
                     or old.origin_host_header is distinct from new.origin_host_header
                     or old.edge is distinct from new.edge)
  execute function note_origin_change();
