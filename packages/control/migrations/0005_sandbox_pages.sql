-- Sandbox zones page like every list, and their answers depend on when they were last written.

-- Defaults, because row security would hide the rows from an update by the schema's owner.
alter table sandbox_zones
  add column id uuid not null default gen_random_uuid(),
  add column created_at timestamptz not null default clock_timestamp();
alter table sandbox_zones alter column id drop default, alter column created_at drop default;

drop index sandbox_zones_page;
create index sandbox_zones_page on sandbox_zones (tenant_id, created_at desc, id desc);

-- A write to a sandbox zone makes the connections under it due.
create index connections_by_test_domain on connections (registrable_domain) where environment = 'test';

drop function sandbox_zone(text);
create function sandbox_zone(name text)
  returns table (tenant_id uuid, nameservers text[], records jsonb, updated_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select z.tenant_id, z.nameservers, z.records, z.updated_at
        from public.sandbox_zones z where z.zone = name $$;

-- When the holder of a hostname first was live; null before, and when nobody holds it.
create function sandbox_live_since(name text) returns timestamptz
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.first_live_at
        from public.claims c join public.connections k on k.id = c.connection_id
        where c.hostname = name $$;

alter function sandbox_zone(text) owner to mooring_definer;
alter function sandbox_live_since(text) owner to mooring_definer;
revoke execute on function sandbox_zone(text), sandbox_live_since(text) from public;
grant execute on function sandbox_zone(text), sandbox_live_since(text) to mooring_api, mooring_worker;
