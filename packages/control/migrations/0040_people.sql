-- People: the members of a tenant with their roles, how they sign in, their sessions; who did what; and what the
-- console reads of connections and edges.

create table members (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  -- Lower case: mail addresses are compared without case here.
  email text not null check (length(email) between 3 and 254),
  name text check (length(name) between 1 and 100),
  role text not null check (role in ('owner', 'admin', 'developer', 'support', 'viewer')),
  created_at timestamptz not null,
  last_seen_at timestamptz,
  unique (tenant_id, email),
  unique (id, tenant_id)
);
create index members_page on members (tenant_id, created_at desc, id desc);
create index members_by_email on members (email);

-- Whose verified mail address makes them a member when they first sign in with OpenID Connect.
create table tenant_domains (
  tenant_id uuid not null references tenants (id),
  domain text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'support', 'viewer')),
  created_at timestamptz not null,
  primary key (tenant_id, domain)
);
create index tenant_domains_by_domain on tenant_domains (domain);

-- Links that sign in once. Without a tenant: an operator's.
create table sign_in_links (
  -- SHA-256 of the token in the link, which is stored nowhere.
  token_hash bytea primary key check (length(token_hash) = 32),
  tenant_id uuid references tenants (id),
  member_id uuid,
  role text check (role in ('owner', 'admin', 'developer', 'support', 'viewer')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (member_id, tenant_id) references members (id, tenant_id) on delete cascade,
  check ((tenant_id is null) = (role is null))
);
create index sign_in_links_by_expiry on sign_in_links (expires_at);

-- What a browser has begun and not finished: a sign-in elsewhere, a challenge to a passkey. Used once.
create table sign_in_attempts (
  token_hash bytea primary key check (length(token_hash) = 32),
  kind text not null check (kind in ('oidc', 'choice', 'passkey', 'passkey_registration')),
  details jsonb not null,
  expires_at timestamptz not null
);
create index sign_in_attempts_by_expiry on sign_in_attempts (expires_at);

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  tenant_id uuid references tenants (id),
  -- With a member the role is the member's of the moment; `role` is that of a session without one.
  member_id uuid,
  role text check (role in ('owner', 'admin', 'developer', 'support', 'viewer')),
  signed_in_by text not null check (signed_in_by in ('link', 'oidc', 'passkey')),
  address text,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (member_id, tenant_id) references members (id, tenant_id) on delete cascade,
  check ((tenant_id is null) = (role is null))
);
create index sessions_page on sessions (tenant_id, created_at desc, id desc);
create index sessions_by_member on sessions (member_id);
create index sessions_by_expiry on sessions (expires_at);

create table passkeys (
  id uuid primary key,
  tenant_id uuid not null,
  member_id uuid not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz,
  foreign key (member_id, tenant_id) references members (id, tenant_id) on delete cascade
);
create index passkeys_by_member on passkeys (member_id, created_at desc, id desc);

do $$
declare
  t text;
begin
  foreach t in array array['members', 'tenant_domains', 'sign_in_links', 'sessions', 'passkeys']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to mooring_api
      using (tenant_id = (select app_tenant())) with check (tenant_id = (select app_tenant()))', t);
    execute format('create policy worker on %I to mooring_worker using (true) with check (true)', t);
    execute format('create policy operator on %I to mooring_operator using (true) with check (true)', t);
    execute format('create policy definer on %I to mooring_definer using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to mooring_worker, mooring_operator', t);
  end loop;
end
$$;
grant select, insert, update, delete on members, sessions, passkeys to mooring_api;
grant select, insert on sign_in_links to mooring_api;
grant select on tenant_domains to mooring_api;
grant select, insert, delete on sign_in_attempts to mooring_worker, mooring_operator;
grant select on members, sessions to mooring_definer;
grant update (last_seen_at) on members, sessions to mooring_definer;

-- The sessions among these hashes that are valid now: looked up on every request, so that one that was revoked, or
-- whose member was removed or has another role, is so on the next request.
create function find_sessions(hashes bytea[], moment timestamptz)
  returns table (token_hash bytea, id uuid, tenant_id uuid, tenant_name text, member_id uuid, email text, name text,
                 role text, created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select s.token_hash, s.id, s.tenant_id, t.name, s.member_id, m.email, m.name, coalesce(m.role, s.role),
          s.created_at, s.last_seen_at, s.expires_at
        from public.sessions s
        left join public.members m on m.id = s.member_id
        left join public.tenants t on t.id = s.tenant_id
        where s.token_hash = any (hashes) and s.revoked_at is null and s.expires_at > moment
          and s.last_seen_at > moment - interval '12 hours' $$;
create function touch_session(session uuid, moment timestamptz) returns void
  language sql security definer set search_path = pg_catalog, public
  as $$ with touched as (
          update public.sessions s set last_seen_at = moment
          where s.id = session and s.last_seen_at < moment returning s.member_id)
        update public.members m set last_seen_at = moment from touched
        where m.id = touched.member_id and (m.last_seen_at is null or m.last_seen_at < moment) $$;

-- A key that was made in a session may never do more than its maker.
alter table api_keys add column role text check (role in ('owner', 'admin', 'developer', 'support', 'viewer'));
drop function find_api_keys(bytea[]);
create function find_api_keys(hashes bytea[])
  returns table (key_hash bytea, id uuid, tenant_id uuid, environment text, application_id uuid, scopes text[], role text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.key_hash, k.id, k.tenant_id, k.environment, k.application_id, k.scopes, k.role
        from public.api_keys k where k.key_hash = any (hashes) and k.revoked_at is null $$;

alter function find_sessions(bytea[], timestamptz) owner to mooring_definer;
alter function touch_session(uuid, timestamptz) owner to mooring_definer;
alter function find_api_keys(bytea[]) owner to mooring_definer;
revoke execute on function find_sessions(bytea[], timestamptz), touch_session(uuid, timestamptz), find_api_keys(bytea[])
  from public;
grant execute on function find_sessions(bytea[], timestamptz), touch_session(uuid, timestamptz), find_api_keys(bytea[])
  to mooring_api;

-- Who did what, from where: the name is that of the time, since members can be removed.
alter table audit_log add column actor_name text, add column request_id uuid, add column address text;

-- Since when a connection is in its state, and the first finding of its last diagnosis: { code, actor, title }.
alter table connections add column state_since timestamptz, add column finding jsonb;

-- What is searched of a connection. A table of its own: connections are written at each check, and an index of
-- trigrams would be written with them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create table connection_search (
  connection_id uuid primary key references connections (id) on delete cascade,
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  -- Lower case; the parts are separated by a line feed, which no search contains.
  text text not null,
  created_at timestamptz not null
);
alter table connection_search enable row level security;
alter table connection_search force row level security;
create policy tenant on connection_search for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on connection_search to mooring_worker using (true) with check (true);
create policy operator on connection_search to mooring_operator using (true) with check (true);
create policy definer on connection_search to mooring_definer using (true) with check (true);
grant select on connection_search to mooring_api, mooring_worker;
grant select, insert, update, delete on connection_search to mooring_definer, mooring_operator;

-- The pairs of neighbouring characters of a text: a search for two characters has no trigram.
create function text_pairs(content text) returns text[]
  language sql immutable strict parallel safe set search_path = pg_catalog
  as $$ select coalesce(array_agg(distinct substr(content, i, 2)), '{}')
        from generate_series(1, length(content) - 1) as i $$;

create function note_connection_search() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  insert into public.connection_search (connection_id, tenant_id, environment, text, created_at)
  values (new.id, new.tenant_id, new.environment, lower(new.hostname), new.created_at)
  on conflict (connection_id) do update set text = excluded.text;
  return null;
end
$$;
alter function note_connection_search() owner to mooring_definer;
revoke execute on function note_connection_search() from public;
create trigger connection_search after insert on connections
  for each row execute function note_connection_search();

-- Edge processes that run, by their own word.
create table edges (
  id uuid primary key,
  address text not null,
  version text not null,
  certificates integer not null check (certificates >= 0),
  started_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index edges_by_last_seen on edges (last_seen_at);
grant select, insert, update, delete on edges to mooring_edge, mooring_operator;
grant select, delete on edges to mooring_worker;
