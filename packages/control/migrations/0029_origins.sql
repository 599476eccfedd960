-- Several origins of an application. The first is origin_url, which stays: a list that does not begin with
-- it was written before the origin was changed by a process of the previous release, and is not used.
alter table applications
  add column origins jsonb not null default '[]',
  -- How the edge verifies and authenticates at the origins; the private key is apart, sealed.
  add column origin_tls jsonb not null default '{}',
  add column sealed_client_key text;

drop function edge_applications(uuid[]);
create function edge_applications(wanted uuid[])
  returns table (id uuid, tenant_id uuid, environment text, origin_url text, origin_host_header text,
    edge jsonb, origins jsonb, origin_tls jsonb, sealed_client_key text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select a.id, a.tenant_id, a.environment, a.origin_url, a.origin_host_header, a.edge, a.origins,
               a.origin_tls, a.sealed_client_key
        from public.applications a where a.id = any (wanted) $$;

alter function edge_applications(uuid[]) owner to mooring_definer;
revoke execute on function edge_applications(uuid[]) from public;
grant execute on function edge_applications(uuid[]) to mooring_edge;

create or replace trigger origin_change
  after update of origin_url, origin_host_header, edge, origins, origin_tls, sealed_client_key
  on applications
  for each row when (old.origin_url is distinct from new.origin_url
                     or old.origin_host_header is distinct from new.origin_host_header
                     or old.edge is distinct from new.edge
                     or old.origins is distinct from new.origins
                     or old.origin_tls is distinct from new.origin_tls
                     or old.sealed_client_key is distinct from new.sealed_client_key)
  execute function note_origin_change();
