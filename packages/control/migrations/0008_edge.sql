-- What the edge owns, and the little that it sees of the rest.

alter table certificates
  -- Which CA made it: the directory's address, or 'local'.
  add column issuer text,
  add column chain text,
  add column sealed_key text,
  add column issued_at timestamptz,
  -- New with every certificate: what control counts and tells of once.
  add column issue_id uuid,
  -- When a renewal is due, and what the CA suggested about it.
  add column renew_at timestamptz,
  add column renewal_info jsonb,
  -- Failures since the last success: the place in the retry table, and which CA is next.
  add column failures int not null default 0,
  add column registrable_domain text;

-- The last certificate that was told of; another one in the row is news.
alter table connections add column certificate_id uuid;

-- One account a CA, made once; the key is sealed.
create table acme_accounts (
  directory text primary key,
  url text,
  sealed_key text not null,
  created_at timestamptz not null
);

-- An order under way, so that it is taken up again after a crash instead of made twice.
create table acme_orders (
  hostname text primary key,
  directory text not null,
  epoch bigint not null,
  progress jsonb not null,
  sealed_key text not null,
  created_at timestamptz not null
);

-- Answers to challenges, where any edge process finds them.
create table acme_challenges (
  hostname text not null,
  kind text not null check (kind in ('http-01', 'tls-alpn-01')),
  token text not null,
  key_authorization text not null,
  expires_at timestamptz not null,
  primary key (hostname, kind, token)
);

-- Rates as the theoretical arrival time of the next order (GCRA), one row a thing that is limited.
create table issuance_budget (
  name text primary key,
  arrives_at timestamptz not null
);

create table local_ca (
  id int primary key check (id = 1),
  certificate text not null,
  sealed_key text not null,
  created_at timestamptz not null
);

-- Which hostnames are held has changed, or where they lead. Read again by an edge that missed the
-- notification; swept when old.
create table host_changes (
  id bigint generated always as identity primary key,
  hostname text,
  application_id uuid
);

alter table certificates enable row level security;
create policy edge on certificates to mooring_edge using (true) with check (true);

grant select, insert, update on certificates to mooring_edge;
grant select, insert, update, delete on acme_accounts, acme_orders, acme_challenges, issuance_budget to mooring_edge;
grant select, insert on local_ca to mooring_edge;
grant select on host_changes to mooring_edge;
-- The root is public: control serves it.
grant select (id, certificate) on local_ca to mooring_api;
grant select, delete on host_changes to mooring_worker;
-- Archiving destroys the key of the name at once.
grant delete on certificates, acme_orders, acme_challenges to mooring_worker;
grant select (hostname) on acme_orders, acme_challenges to mooring_worker;
grant select, insert, update, delete on
  acme_accounts, acme_orders, acme_challenges, issuance_budget, local_ca, host_changes to mooring_operator;

-- Hosts that are held now, with what an edge needs to serve them: all after a name, or those named.
create function edge_hosts(after_name text, at_most int, names text[])
  returns table (hostname text, epoch bigint, environment text, connection_id uuid, application_id uuid,
    tenant_id uuid, registrable_domain text, origin_url text, origin_host_header text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id,
               k.registrable_domain, a.origin_url, a.origin_host_header
        from public.claims c
        join public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname > after_name and (names is null or c.hostname = any (names))
        order by c.hostname limit at_most $$;

create function edge_hosts_of(application uuid) returns setof text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname from public.claims c
        join public.connections k on k.id = c.connection_id
        where k.application_id = application $$;

-- A certificate was stored or failed: its connection is looked at now.
create function recheck_connection(connection uuid, moment timestamptz) returns void
  language sql security definer set search_path = pg_catalog, public
  as $$ update public.connections set
          due_at = case when leased_until is null or leased_until <= moment then moment else due_at end,
          recheck_requested = leased_until is not null and leased_until > moment
        where id = connection and due_at is not null;
        select pg_notify('mooring_due', 'connections') $$;

-- The notification is sent at commit, so that whoever hears it sees the change.
create function note_host_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ declare name text := coalesce(new.hostname, old.hostname);
        begin
          insert into public.host_changes (hostname) values (name);
          perform pg_notify('mooring_hosts', name);
          return null;
        end $$;
create function note_origin_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          insert into public.host_changes (application_id) values (new.id);
          perform pg_notify('mooring_hosts', 'application:' || new.id);
          return null;
        end $$;

alter table host_changes enable row level security;
create policy edge on host_changes for select to mooring_edge using (true);
create policy worker on host_changes to mooring_worker using (true) with check (true);
create policy operator on host_changes to mooring_operator using (true) with check (true);
create policy definer on host_changes for insert to mooring_definer with check (true);
grant insert on host_changes to mooring_definer;
grant select, update (due_at, recheck_requested) on connections to mooring_definer;
create policy definer_recheck on connections for update to mooring_definer using (true) with check (true);

do $$
declare
  f text;
begin
  foreach f in array array['edge_hosts(text, int, text[])', 'edge_hosts_of(uuid)',
    'recheck_connection(uuid, timestamptz)', 'note_host_change()', 'note_origin_change()']
  loop
    execute format('alter function %s owner to mooring_definer', f);
    execute format('revoke execute on function %s from public', f);
  end loop;
end
$$;
grant execute on function edge_hosts(text, int, text[]), edge_hosts_of(uuid),
  recheck_connection(uuid, timestamptz) to mooring_edge;

create trigger host_change after insert or delete on claims
  for each row execute function note_host_change();
create trigger origin_change after update of origin_url, origin_host_header on applications
  for each row when (old.origin_url is distinct from new.origin_url
                     or old.origin_host_header is distinct from new.origin_host_header)
  execute function note_origin_change();
