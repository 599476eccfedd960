--
-- PostgreSQL database dump
--

\restrict mooring


SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: btree_gin; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;


--
-- Name: EXTENSION btree_gin; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION btree_gin IS 'support for indexing common datatypes in GIN';


--
-- Name: pg_trgm; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;


--
-- Name: EXTENSION pg_trgm; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';


--
-- Name: add_api_calls(uuid[], text[], date[], bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.add_api_calls(tenants uuid[], environments text[], periods date[], amounts bigint[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ insert into public.usage_counters as c (tenant_id, environment, period, kind, amount)
        select t, e, p, 'api_call', n from unnest(tenants, environments, periods, amounts) as u (t, e, p, n)
        order by t, e, p
        on conflict (tenant_id, environment, period, kind) do update set amount = c.amount + excluded.amount $$;


--
-- Name: add_traffic_partition(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.add_traffic_partition(at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  part record;
begin
  for part in
    select 'traffic_hours' as parent, to_char(at, '"traffic_hours_"YYYYMMDD') as name,
      date_trunc('day', at) as since, date_trunc('day', at) + interval '1 day' as until
    union all
    select 'traffic_days', to_char(at, '"traffic_days_"YYYYMM'), date_trunc('month', at),
      date_trunc('month', at) + interval '1 month'
  loop
    continue when to_regclass('public.' || part.name) is not null;
    perform pg_advisory_xact_lock(hashtextextended(part.name, 0));
    -- Not by to_regclass, which may still answer as before the wait.
    continue when exists (select from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relname = part.name);
    execute format('create table public.%I (like public.%I including all) with (fillfactor = 80)', part.name, part.parent);
    -- Nobody reads it but through the whole table.
    execute format('alter table public.%I enable row level security', part.name);
    execute format('alter table public.%I force row level security', part.name);
    execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
      part.parent, part.name, part.since, part.until);
  end loop;
end $$;


--
-- Name: app_environment(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.app_environment() RETURNS text
    LANGUAGE sql STABLE
    AS $$ select nullif(current_setting('app.environment', true), '') $$;


--
-- Name: app_tenant(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.app_tenant() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$ select nullif(current_setting('app.tenant', true), '')::uuid $$;


--
-- Name: bring_endpoint_forward(uuid, uuid, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.bring_endpoint_forward(endpoint uuid, tenant uuid, of_environment text, due timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  perform pg_advisory_xact_lock_shared(public.endpoint_queue_key(endpoint));
  if exists (select from public.endpoint_queue q
      where q.endpoint_id = endpoint and q.tenant_id = tenant and q.turn_at <= due) then
    return;
  end if;
  insert into public.endpoint_queue as q (endpoint_id, tenant_id, environment, turn_at)
    values (endpoint, tenant, of_environment, due)
    on conflict (endpoint_id, tenant_id) do update set turn_at = excluded.turn_at where q.turn_at > excluded.turn_at;
end $$;


--
-- Name: bring_turn_forward(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.bring_turn_forward() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  perform pg_advisory_xact_lock_shared(public.check_queue_key(new.tenant_id, new.environment, new.lane));
  update public.check_queues q set turn_at = new.due_at
    where q.tenant_id = new.tenant_id and q.environment = new.environment and q.lane = new.lane
      and q.turn_at > new.due_at;
  if not found and not exists (select from public.check_queues q where q.tenant_id = new.tenant_id
      and q.environment = new.environment and q.lane = new.lane) then
    insert into public.check_queues as q (tenant_id, environment, lane, turn_at)
      values (new.tenant_id, new.environment, new.lane, new.due_at)
      on conflict on constraint check_queues_pkey do update set turn_at = excluded.turn_at
        where q.turn_at > excluded.turn_at;
  end if;
  return null;
end $$;


--
-- Name: check_lane(text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.check_lane(state text, checks integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ select case
      when state = 'live' then 1
      when checks <= 20 and state in ('created', 'pending_ownership', 'verifying', 'verified', 'dns_writing',
        'propagating', 'issuing_cert') then 0
      else 2 end $$;


--
-- Name: check_queue_key(uuid, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.check_queue_key(tenant uuid, environment text, lane integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ select hashtextextended('check_queue:' || tenant || environment || lane, 0) $$;


--
-- Name: claim_holder(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim_holder(name text) RETURNS TABLE(connection_id uuid, application_id uuid, state text, customer_ref text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.connection_id, k.application_id, k.state, k.customer_ref
        from public.claims c join only public.connections k on k.id = c.connection_id
        where c.hostname = name $$;


--
-- Name: claimed_hostnames(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claimed_hostnames(names text[]) RETURNS SETOF text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.hostname from public.claims c where c.hostname = any (names)
          and not exists (select from public.quota_waits w where w.connection_id = c.connection_id) $$;


--
-- Name: delete_endpoint(uuid, uuid, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.delete_endpoint(endpoint uuid, job uuid, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
declare
  short_log constant int := 1000;
  log_rows bigint;
  found_endpoint public.webhook_endpoints;
begin
  select * into found_endpoint from public.webhook_endpoints e where e.id = endpoint
    and e.tenant_id = public.app_tenant() and e.environment = public.app_environment()
    and e.deleted_at is null for update;
  if not found then return false; end if;
  select count(*) into log_rows from (
    select from public.deliveries d where d.endpoint_id = endpoint limit short_log + 1) as log;
  if log_rows <= short_log then
    delete from public.webhook_endpoints e where e.id = endpoint;
    return true;
  end if;
  update public.webhook_endpoints e set deleted_at = at, active = false where e.id = endpoint;
  insert into public.endpoint_jobs (id, tenant_id, environment, endpoint_id, kind, created_at)
    values (job, found_endpoint.tenant_id, found_endpoint.environment, endpoint, 'delete', at);
  return true;
end $$;


--
-- Name: drop_traffic_partitions(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.drop_traffic_partitions(hours_before timestamp with time zone, days_before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '1s'
    AS $$
declare
  part record;
  dropped int := 0;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('public.traffic_hours'::regclass, 'public.traffic_days'::regclass)
      and c.relname < case i.inhparent when 'public.traffic_hours'::regclass
        then to_char(hours_before, '"traffic_hours_"YYYYMMDD') else to_char(days_before, '"traffic_days_"YYYYMM') end
    order by c.relname
  loop
    execute format('drop table %s', part.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;


--
-- Name: edge_applications(uuid[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_applications(wanted uuid[]) RETURNS TABLE(id uuid, tenant_id uuid, environment text, origin_url text, origin_host_header text, edge jsonb, origins jsonb, origin_tls jsonb, sealed_client_key text, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select a.id, a.tenant_id, a.environment, a.origin_url, a.origin_host_header, a.edge, a.origins,
               a.origin_tls, a.sealed_client_key, public.is_suspended(t)
        from public.applications a join public.tenants t on t.id = a.tenant_id
        where a.id = any (wanted) $$;


--
-- Name: edge_claims(text, integer, text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_claims(after_name text, at_most integer, names text[]) RETURNS TABLE(hostname text, epoch bigint, environment text, connection_id uuid, application_id uuid, tenant_id uuid, registrable_domain text, redirect_to text, origin_url text, origin_host_header text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain,
          case when k.redirect_to is not null then (
            select t.hostname from public.claims h
            join only public.connections t on t.id = h.connection_id
            where h.hostname = k.redirect_to and t.application_id = k.application_id
              and t.customer_ref is not distinct from k.customer_ref
              and t.state in ('live', 'drifted')) end,
          k.origin_url, k.origin_host_header
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        where c.hostname > after_name and (names is null or c.hostname = any (names))
        order by c.hostname limit at_most $$;


--
-- Name: edge_claims_middle(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_claims_middle() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select percentile_disc(0.5) within group (order by c.hostname)
    from public.claims c tablesample system (least(100,
      10000 * current_setting('block_size')::float / greatest(pg_relation_size('public.claims'), 1))) $$;


--
-- Name: edge_claims_named(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_claims_named(names text[]) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select string_agg(l.line, e'\n') from unnest(names) as n (name)
    cross join lateral (select i.line from public.edge_claim_lines i where i.hostname = n.name limit 1) l $$;


--
-- Name: edge_claims_page(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_claims_page(after_name text, last_name text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET max_parallel_workers_per_gather TO '0'
    AS $$ select string_agg(p.line, e'\n') from (
      select l.hostname, l.line from public.edge_claim_lines l
      where l.hostname > after_name order by l.hostname limit 2000) p
    where last_name is null or p.hostname <= last_name $$;


--
-- Name: edge_hosts(text, integer, text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_hosts(after_name text, at_most integer, names text[]) RETURNS TABLE(hostname text, epoch bigint, environment text, connection_id uuid, application_id uuid, tenant_id uuid, registrable_domain text, origin_url text, origin_host_header text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id,
               k.registrable_domain, a.origin_url, a.origin_host_header
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname > after_name and (names is null or c.hostname = any (names))
        order by c.hostname limit at_most $$;


--
-- Name: edge_hosts_of(uuid); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.edge_hosts_of(application uuid) RETURNS SETOF text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.hostname from public.claims c
        join only public.connections k on k.id = c.connection_id
        where k.application_id = application $$;


--
-- Name: endpoint_queue_key(uuid); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.endpoint_queue_key(endpoint uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ select hashtextextended('endpoint_queue:' || endpoint, 0) $$;


SET default_tablespace = '';

--
-- Name: endpoint_queue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY public.endpoint_queue FORCE ROW LEVEL SECURITY;


--
-- Name: endpoints_in_turn(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.endpoints_in_turn(at timestamp with time zone) RETURNS SETOF public.endpoint_queue
    LANGUAGE sql STABLE ROWS 64
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select * from public.endpoint_queue q where q.turn_at <= at order by q.turn_at limit 64 $$;


--
-- Name: fill_connection_checks(); Type: PROCEDURE; Schema: public; Owner: -
--

CREATE PROCEDURE public.fill_connection_checks()
    LANGUAGE plpgsql
    AS $$
declare
  piece_size constant int := 1000;
  last uuid;
  piece uuid[];
  is_complete boolean;
begin
  loop
    is_complete := true;
    last := '00000000-0000-0000-0000-000000000000';
    loop
      piece := array(select c.id from public.connections c
        where c.id > last and c.due_at is not null order by c.id limit piece_size);
      exit when cardinality(piece) = 0;
      last := piece[cardinality(piece)];
      insert into public.connection_checks (connection_id, tenant_id, environment, lane, due_at, leased_until, failures,
          last_checked_at)
        select c.id, c.tenant_id, c.environment, public.check_lane(c.state, c.checks), c.due_at, c.leased_until,
          c.failures, c.last_checked_at
        from public.connections c where c.id = any (piece) and c.due_at is not null
        for no key update skip locked
        on conflict do nothing;
      is_complete := is_complete and not exists (select from unnest(piece) as p (id)
        where not exists (select from public.connection_checks k where k.connection_id = p.id)
          and exists (select from public.connections c where c.id = p.id and c.due_at is not null));
      commit;
    end loop;
    exit when is_complete;
  end loop;
end $$;


--
-- Name: fill_folded_search(); Type: PROCEDURE; Schema: public; Owner: -
--

CREATE PROCEDURE public.fill_folded_search()
    LANGUAGE plpgsql
    AS $$
declare
  piece_size constant int := 10000;
  last uuid := '00000000-0000-0000-0000-000000000000';
  ends uuid;
begin
  loop
    select p.connection_id into ends from (
      select s.connection_id from public.connection_search s
      where s.connection_id > last order by s.connection_id limit piece_size) p
    order by p.connection_id desc limit 1;
    exit when not found;
    update public.connection_search s set text = public.fold_text(s.text)
      where s.connection_id > last and s.connection_id <= ends
        and octet_length(s.text) <> length(s.text) and s.text <> public.fold_text(s.text);
    last := ends;
    commit;
  end loop;
end
$$;


--
-- Name: fill_ownership(); Type: PROCEDURE; Schema: public; Owner: -
--

CREATE PROCEDURE public.fill_ownership()
    LANGUAGE plpgsql
    AS $$
declare
  piece_size constant int := 1000;
  last text := '';
  piece text[];
begin
  loop
    piece := array(select c.hostname from public.claims c where c.hostname > last order by c.hostname limit piece_size);
    exit when cardinality(piece) = 0;
    last := piece[cardinality(piece)];
    update only public.connections k
      set ownership_proven_at = c.claimed_at,
          ownership_method = case when exists (select from public.audit_log a
            where a.tenant_id = k.tenant_id and a.subject = 'connection:' || k.id
              and a.details ->> 'ownership' = 'trusted_dns') then 'trust_dns' else 'txt' end
      from public.claims c
      where c.hostname = any (piece) and k.id = c.connection_id and k.ownership_method is null;
    commit;
  end loop;
end $$;


--
-- Name: find_api_keys(bytea[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_api_keys(hashes bytea[]) RETURNS TABLE(key_hash bytea, id uuid, tenant_id uuid, environment text, application_id uuid, scopes text[], role text, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select k.key_hash, k.id, k.tenant_id, k.environment, k.application_id, k.scopes, k.role,
               public.is_suspended(t)
        from public.api_keys k join public.tenants t on t.id = k.tenant_id and t.deleted_at is null
        where k.key_hash = any (hashes) and k.revoked_at is null $$;


--
-- Name: find_removal_link(bytea, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_removal_link(hash bytea, moment timestamp with time zone) RETURNS TABLE(tenant_id uuid, environment text, connection_id uuid, application_id uuid, hostname text, customer_ref text, expires_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select r.tenant_id, r.environment, r.connection_id, k.application_id, k.hostname, k.customer_ref, r.expires_at
        from public.removal_links r
        join public.left_behind l on l.connection_id = r.connection_id
        join public.connections k on k.id = r.connection_id and k.state = 'archived'
        where r.token_hash = hash and r.expires_at > moment
          and not exists (select from public.claims c where c.hostname = k.hostname) $$;


--
-- Name: find_sessions(bytea[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_sessions(hashes bytea[], moment timestamp with time zone) RETURNS TABLE(token_hash bytea, id uuid, tenant_id uuid, tenant_name text, member_id uuid, email text, name text, role text, created_at timestamp with time zone, last_seen_at timestamp with time zone, expires_at timestamp with time zone, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select s.token_hash, s.id, s.tenant_id, t.name, s.member_id, m.email, m.name, coalesce(m.role, s.role),
          s.created_at, s.last_seen_at, s.expires_at, coalesce(public.is_suspended(t), false)
        from public.sessions s
        left join public.members m on m.id = s.member_id
        left join public.tenants t on t.id = s.tenant_id
        where s.token_hash = any (hashes) and s.revoked_at is null and s.expires_at > moment
          and s.last_seen_at > moment - interval '12 hours' and t.deleted_at is null $$;


--
-- Name: find_share_link(bytea, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_share_link(hash bytea, moment timestamp with time zone) RETURNS TABLE(tenant_id uuid, environment text, connection_id uuid, application_id uuid, hostname text, expires_at timestamp with time zone, customer_ref text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select s.tenant_id, s.environment, s.connection_id, k.application_id, k.hostname, s.expires_at,
               k.customer_ref
        from public.share_links s
        join public.connections k on k.id = s.connection_id and k.state <> 'archived'
        where s.token_hash = hash and s.expires_at > moment $$;


--
-- Name: find_status_link(bytea, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_status_link(hash bytea, moment timestamp with time zone) RETURNS TABLE(tenant_id uuid, environment text, application_id uuid, customer_ref text, expires_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select s.tenant_id, s.environment, s.application_id, s.customer_ref, s.expires_at
        from public.status_links s
        join public.applications a on a.id = s.application_id and a.deleted_at is null
        join public.tenants t on t.id = s.tenant_id and t.deleted_at is null
        where s.token_hash = hash and s.expires_at > moment $$;


--
-- Name: find_subscription_tenant(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_subscription_tenant(stripe_id text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select s.tenant_id from public.subscriptions s where s.stripe_subscription = stripe_id $$;


--
-- Name: find_widget_grants(uuid[], uuid[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_widget_grants(key_ids uuid[], application_ids uuid[]) RETURNS TABLE(key_id uuid, application_id uuid, tenant_id uuid, environment text, allowed_origins text[], suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select k.id, a.id, a.tenant_id, a.environment, a.allowed_origins, public.is_suspended(o)
        from unnest(key_ids, application_ids) as t (key_id, application_id)
        join public.api_keys k on k.id = t.key_id and k.revoked_at is null
        join public.applications a on a.id = t.application_id and a.deleted_at is null
          and a.tenant_id = k.tenant_id and a.environment = k.environment
        join public.tenants o on o.id = a.tenant_id and o.deleted_at is null $$;


--
-- Name: fold_text(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fold_text(content text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
  characters constant text :=
    'µÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸ' ||
    'ŹŻŽſƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢ' ||
    'ȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͅͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫςϏϐϑϕϖϘϚϜϞϠϢϤϦϨϪϬϮϰϱϴϵϷϹϺϽϾϿЀЁЂ' ||
    'ЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀ' ||
    'ӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓ' ||
    'ՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎ' ||
    'ᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸ' ||
    'ᲹᲺᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẛẞẠẢẤẦẨẪẬẮ' ||
    'ẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾸᾹ' ||
    'ᾺῈῊῘῙῚῨῩῪῬῸῺℲⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅬⅭⅮⅯↃⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡ' ||
    'ⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎ' ||
    'ꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪ' ||
    'ꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟' ||
    '𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊' ||
    '𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻' ||
    '𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜' ||
    '𞤝𞤞𞤟𞤠𞤡';
  folded constant text :=
    'μàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿ' ||
    'źżžsɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣ' ||
    'ȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏιͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋσϗβθφπϙϛϝϟϡϣϥϧϩϫϭϯκρθεϸϲϻͻͼͽѐёђ' ||
    'ѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏ' ||
    'ӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփ' ||
    'քօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞ' ||
    'ꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽвдосттъѣꙋᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸ' ||
    'ჹჺჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕṡßạảấầẩẫậắ' ||
    'ằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾰᾱ' ||
    'ὰὲὴῐῑὶῠῡὺῥὸὼⅎⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿↄⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑ' ||
    'ⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏ' ||
    'ꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦ' ||
    'ɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇' ||
    '𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊' ||
    '𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛' ||
    '𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾' ||
    '𞤿𞥀𞥁𞥂𞥃';
  -- Each with the several that it becomes.
  expanded constant text[] := array[
    'ß', 'ss', 'İ', 'i̇', 'ŉ', 'ʼn', 'ǰ', 'ǰ', 'ΐ', 'ΐ', 'ΰ', 'ΰ', 'և', 'եւ', 'ẖ', 'ẖ', 'ẗ', 'ẗ', 'ẘ', 'ẘ', 'ẙ', 'ẙ', 'ẚ', 'aʾ',
    'ὐ', 'ὐ', 'ὒ', 'ὒ', 'ὔ', 'ὔ', 'ὖ', 'ὖ', 'ᾀ', 'ἀι', 'ᾁ', 'ἁι', 'ᾂ', 'ἂι', 'ᾃ', 'ἃι', 'ᾄ', 'ἄι', 'ᾅ', 'ἅι', 'ᾆ', 'ἆι', 'ᾇ', 'ἇι',
    'ᾈ', 'ἀι', 'ᾉ', 'ἁι', 'ᾊ', 'ἂι', 'ᾋ', 'ἃι', 'ᾌ', 'ἄι', 'ᾍ', 'ἅι', 'ᾎ', 'ἆι', 'ᾏ', 'ἇι', 'ᾐ', 'ἠι', 'ᾑ', 'ἡι', 'ᾒ', 'ἢι', 'ᾓ', 'ἣι',
    'ᾔ', 'ἤι', 'ᾕ', 'ἥι', 'ᾖ', 'ἦι', 'ᾗ', 'ἧι', 'ᾘ', 'ἠι', 'ᾙ', 'ἡι', 'ᾚ', 'ἢι', 'ᾛ', 'ἣι', 'ᾜ', 'ἤι', 'ᾝ', 'ἥι', 'ᾞ', 'ἦι', 'ᾟ', 'ἧι',
    'ᾠ', 'ὠι', 'ᾡ', 'ὡι', 'ᾢ', 'ὢι', 'ᾣ', 'ὣι', 'ᾤ', 'ὤι', 'ᾥ', 'ὥι', 'ᾦ', 'ὦι', 'ᾧ', 'ὧι', 'ᾨ', 'ὠι', 'ᾩ', 'ὡι', 'ᾪ', 'ὢι', 'ᾫ', 'ὣι',
    'ᾬ', 'ὤι', 'ᾭ', 'ὥι', 'ᾮ', 'ὦι', 'ᾯ', 'ὧι', 'ᾲ', 'ὰι', 'ᾳ', 'αι', 'ᾴ', 'άι', 'ᾶ', 'ᾶ', 'ᾷ', 'ᾶι', 'ᾼ', 'αι', 'ῂ', 'ὴι', 'ῃ', 'ηι',
    'ῄ', 'ήι', 'ῆ', 'ῆ', 'ῇ', 'ῆι', 'ῌ', 'ηι', 'ῒ', 'ῒ', 'ῖ', 'ῖ', 'ῗ', 'ῗ', 'ῢ', 'ῢ', 'ῤ', 'ῤ', 'ῦ', 'ῦ', 'ῧ', 'ῧ', 'ῲ', 'ὼι',
    'ῳ', 'ωι', 'ῴ', 'ώι', 'ῶ', 'ῶ', 'ῷ', 'ῶι', 'ῼ', 'ωι', 'ﬀ', 'ff', 'ﬁ', 'fi', 'ﬂ', 'fl', 'ﬃ', 'ffi', 'ﬄ', 'ffl', 'ﬅ', 'st', 'ﬆ', 'st',
    'ﬓ', 'մն', 'ﬔ', 'մե', 'ﬕ', 'մի', 'ﬖ', 'վն', 'ﬗ', 'մխ'];
  result text;
begin
  if octet_length(content) = length(content) then
    return lower(content collate "C");
  end if;
  result := translate(lower(normalize(content, NFC) collate "C"), characters, folded);
  for i in 1 .. cardinality(expanded) by 2 loop
    result := replace(result, expanded[i], expanded[i + 1]);
  end loop;
  return normalize(result, NFC);
end
$$;


--
-- Name: hostname_origin(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.hostname_origin(name text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select a.origin_url
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        where c.hostname = name $$;


--
-- Name: hostname_route(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.hostname_route(wanted text) RETURNS TABLE(origin_url text, origin_host_header text, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select coalesce(k.origin_url, a.origin_url), coalesce(k.origin_host_header, a.origin_host_header),
               public.is_suspended(t)
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        join public.tenants t on t.id = k.tenant_id
        where c.hostname = wanted
          and (coalesce(k.origin_url, a.origin_url) is not null or public.is_suspended(t)) $$;


--
-- Name: is_stuck(text, timestamp with time zone, jsonb, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.is_stuck(state text, since timestamp with time zone, cutover jsonb, since_before jsonb) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select coalesce(since <= (since_before ->> state)::timestamptz, false)
    and coalesce(cutover ->> 'status', '') not in ('ready', 'reverted')
$$;


SET default_table_access_method = heap;

--
-- Name: tenants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tenants (
    id uuid NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    suspended_at timestamp with time zone,
    suspended_reason text,
    deleted_at timestamp with time zone,
    removal_leased_until timestamp with time zone,
    CONSTRAINT tenants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT tenants_suspended_reason_check CHECK (((length(suspended_reason) >= 1) AND (length(suspended_reason) <= 500)))
);

ALTER TABLE ONLY public.tenants FORCE ROW LEVEL SECURITY;


--
-- Name: is_suspended(public.tenants); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.is_suspended(tenant public.tenants) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$ select tenant.suspended_at is not null or tenant.deleted_at is not null $$;


--
-- Name: list_connections(jsonb, timestamp with time zone, uuid, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.list_connections(filter jsonb, after_at timestamp with time zone, after_id uuid, at_most integer) RETURNS TABLE(id uuid, at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $_$
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
    || case when filter ? 'batch_id' then ' and c.batch_id = ($6 ->> ''batch_id'')::uuid' else '' end
    || case when filter ? 'actors' then ' and c.finding is not null and c.state <> ''archived'' and $6 -> ''actors'' ? (c.finding ->> ''actor'')'
            else '' end
    || case when filter ? 'stuck' then ' and c.state <> ''archived'' and (c.state <> ''live'' or c.error_code is not null)
         and public.is_stuck(c.state, coalesce(c.state_since, c.phase_started_at), c.cutover, $6 -> ''stuck'')' else '' end
    || case when filter ? 'hostname' then ' and c.hostname = $6 ->> ''hostname''' else '' end
    || case filter ->> 'wildcard' when 'true' then ' and left(c.hostname, 2) = ''*.'''
                                  when 'false' then ' and left(c.hostname, 2) <> ''*.''' else '' end
    || case when filter ->> 'sort' = 'stuck_since' and states is null
            then ' and c.state <> ''archived'' and (c.state <> ''live'' or c.error_code is not null)' else '' end;
  -- Without those that have moved where none of them is meant: they are all archived.
  source text := case when not 'archived' = any (states) or states is null and (filter ->> 'sort' = 'stuck_since' or filter ?| array['actors', 'stuck'])
                      then 'only public.connections' else 'public.connections' end;
  found uuid[];
begin
  if needle !~ '[a-z0-9]{3}' then
    found := array(select s.connection_id from public.connection_search s
                   where s.tenant_id = app_tenant() and s.environment = app_environment()
                     and public.text_pairs(s.text) @> public.text_pairs(needle) and s.text like pattern limit rare + 1);
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
$_$;


--
-- Name: merge_times(bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.merge_times(times bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(array_agg(((b.bucket << 40) | b.amount) ORDER BY b.bucket), '{}'::bigint[]) AS "coalesce" FROM (SELECT (t.t >> 40) AS bucket, (sum((t.t & '1099511627775'::bigint)))::bigint AS amount FROM unnest(merge_times.times) t(t) GROUP BY (t.t >> 40)) b);


--
-- Name: new_id(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.new_id(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$ select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid $$;


--
-- Name: note_certificate_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_certificate_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          insert into public.certificate_changes (hostname) values (coalesce(new.hostname, old.hostname));
          return null;
        end $$;


--
-- Name: note_connection_search(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_connection_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  -- The foreign key holds a lock by now, so that no deletion of the application is missed.
  if tg_op = 'INSERT' and exists (
      select from public.applications a where a.id = new.application_id and a.deleted_at is not null) then
    raise foreign_key_violation using message = 'the application was deleted';
  end if;
  insert into public.connection_search (connection_id, tenant_id, environment, text, created_at)
  values (new.id, new.tenant_id, new.environment,
          public.fold_text(concat_ws(E'\n', new.hostname, to_jsonb(new) ->> 'customer_ref')), new.created_at)
  on conflict (connection_id) do update set text = excluded.text;
  return null;
end
$$;


--
-- Name: note_edge_process(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_edge_process() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  insert into public.traffic_processes as p (id, started_at, seen_at)
    values (new.id, new.started_at, new.last_seen_at)
    on conflict (id) do update set seen_at = excluded.seen_at;
  return null;
end $$;


--
-- Name: note_host_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_host_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ declare name text := coalesce(new.hostname, old.hostname);
        begin
          insert into public.host_changes (hostname) values (name);
          perform pg_notify('mooring_hosts', name);
          return null;
        end $$;


--
-- Name: note_origin_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_origin_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          insert into public.host_changes (application_id) values (new.id);
          perform pg_notify('mooring_hosts', 'application:' || new.id);
          return null;
        end $$;


--
-- Name: note_target_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_target_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ declare name text;
        begin
          for name in select c.hostname from only public.connections c
            where c.application_id = new.application_id and c.redirect_to = new.hostname
          loop
            insert into public.host_changes (hostname) values (name);
            perform pg_notify('mooring_hosts', name);
          end loop;
          return null;
        end $$;


--
-- Name: note_tenant_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_tenant_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          insert into public.host_changes (application_id)
            select a.id from public.applications a where a.tenant_id = new.id;
          perform pg_notify('mooring_hosts', 'application:' || a.id)
            from public.applications a where a.tenant_id = new.id;
          return null;
        end $$;


--
-- Name: note_validation_claim(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_validation_claim() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          perform public.note_validation_label(
            (select k.validation_label from only public.connections k
             where k.id = coalesce(new.connection_id, old.connection_id)));
          return null;
        end $$;


--
-- Name: note_validation_label(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_validation_label(changed text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          if changed is null then return; end if;
          insert into public.validation_changes (label) values (changed);
          perform pg_notify('mooring_validation', changed);
        end $$;


--
-- Name: note_validation_name(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_validation_name() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          perform public.note_validation_label(old.validation_label);
          perform public.note_validation_label(new.validation_label);
          return null;
        end $$;


--
-- Name: note_validation_value(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_validation_value() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ begin
          perform public.note_validation_label(coalesce(new.label, old.label));
          return null;
        end $$;


--
-- Name: origin_is_listed(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.origin_is_listed(origin text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select exists (select from public.applications a
                       where a.allowed_origins @> array[origin] and a.deleted_at is null) $$;


--
-- Name: page_connections(uuid[], text[], text[], text[], timestamp with time zone[], uuid[], integer[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.page_connections(tenants uuid[], environments text[], states text[], hostnames text[], after_created_ats timestamp with time zone[], after_ids uuid[], page_sizes integer[]) RETURNS SETOF json
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
            select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
      c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url, c.origin_host_header,
      c.customer_ref, c.cutover, c.phase_started_at, c.state_since,
      greatest(c.last_checked_at, k.last_checked_at) as last_checked_at, k.due_at, c.finding, c.created_at from only public.connections c left join lateral (select k.last_checked_at, k.due_at from public.connection_checks k
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true where c.tenant_id = w.tenant and c.environment = w.environment
      and (c.created_at, c.id) < (w.before_at, w.before_id)
              and c.hostname = w.hostname and c.state = w.state
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.hostname is not null then
          select json_agg(row) into page from (
            select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
      c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url, c.origin_host_header,
      c.customer_ref, c.cutover, c.phase_started_at, c.state_since,
      greatest(c.last_checked_at, k.last_checked_at) as last_checked_at, k.due_at, c.finding, c.created_at from public.connections c left join lateral (select k.last_checked_at, k.due_at from public.connection_checks k
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true where c.tenant_id = w.tenant and c.environment = w.environment
      and (c.created_at, c.id) < (w.before_at, w.before_id)
              and c.hostname = w.hostname and (w.state is null or c.state = w.state)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.state <> 'archived' then
          select json_agg(row) into page from (
            select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
      c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url, c.origin_host_header,
      c.customer_ref, c.cutover, c.phase_started_at, c.state_since,
      greatest(c.last_checked_at, k.last_checked_at) as last_checked_at, k.due_at, c.finding, c.created_at from only public.connections c left join lateral (select k.last_checked_at, k.due_at from public.connection_checks k
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true where c.tenant_id = w.tenant and c.environment = w.environment
      and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        elsif w.state is not null then
          select json_agg(row) into page from (
            select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
      c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url, c.origin_host_header,
      c.customer_ref, c.cutover, c.phase_started_at, c.state_since,
      greatest(c.last_checked_at, k.last_checked_at) as last_checked_at, k.due_at, c.finding, c.created_at from public.connections c left join lateral (select k.last_checked_at, k.due_at from public.connection_checks k
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true where c.tenant_id = w.tenant and c.environment = w.environment
      and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = 'archived'
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        else
          select json_agg(row) into page from (
            select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
      c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url, c.origin_host_header,
      c.customer_ref, c.cutover, c.phase_started_at, c.state_since,
      greatest(c.last_checked_at, k.last_checked_at) as last_checked_at, k.due_at, c.finding, c.created_at from public.connections c left join lateral (select k.last_checked_at, k.due_at from public.connection_checks k
      where k.connection_id = c.id and k.tenant_id = w.tenant offset 0) k on true where c.tenant_id = w.tenant and c.environment = w.environment
      and (c.created_at, c.id) < (w.before_at, w.before_id)
            order by c.created_at desc, c.id desc limit w.page_size) as row;
        end if;
        return next page;
      end loop;
    end $$;


--
-- Name: pdns_label(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.pdns_label(name text) RETURNS text
    LANGUAGE sql STABLE
    AS $$ select case
          when name = current_setting('mooring.validation_zone', true) then ''
          when name like '%.' || current_setting('mooring.validation_zone', true)
            then left(name, -1 - length(current_setting('mooring.validation_zone', true)))
        end $$;


--
-- Name: publish_validation(text, bigint, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.publish_validation(name text, claim_epoch bigint, txt text, until timestamp with time zone) RETURNS text
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ insert into public.validation_values as v (hostname, label, value, expires_at)
        select c.hostname, k.validation_label, txt, until from public.claims c
        join only public.connections k on k.id = c.connection_id
        where c.hostname = name and c.epoch = claim_epoch and k.validation_label is not null
        on conflict (hostname, value) do update
          set label = excluded.label, expires_at = greatest(v.expires_at, excluded.expires_at)
        returning label $$;


--
-- Name: queue_check(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_check() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
declare
  is_insert boolean := tg_op = 'INSERT';
  new_lane int := public.check_lane(new.state, new.checks);
  -- A lease of the release before, and the end of one. No other writer sets leased_until.
  is_lease boolean := new.leased_until is not null;
  is_claim boolean := false;
  is_write boolean := false;
begin
  if new.state = 'archived' then
    delete from public.connection_checks k where k.connection_id = new.id and k.tenant_id = new.tenant_id;
    return null;
  end if;
  if not is_insert then
    is_claim := is_lease and new.version <> old.version;
    is_write := not is_lease
      and (new.version <> old.version or old.leased_until is not null or new.due_at is null);
  end if;
  loop
    update public.connection_checks k set
      lane = new_lane,
      due_at = case
        when is_write and new.due_at is not null and k.recheck_requested
          then least(new.due_at, new.last_checked_at)
        when is_write or is_lease or k.leased_until is null then new.due_at
        else k.due_at end,
      leased_until = case when is_write then null when is_lease then new.leased_until else k.leased_until end,
      version = k.version + case when is_write or is_claim then 1 else 0 end,
      recheck_requested = case when is_write or is_claim then false when is_lease then k.recheck_requested
        -- Requested while a check runs: it is repeated. A later time is what the check itself will set.
        else k.recheck_requested or (k.leased_until is not null and new.due_at <= k.leased_until) end,
      failures = case when is_write or new.failures <> old.failures then new.failures else k.failures end,
      last_checked_at = greatest(k.last_checked_at, new.last_checked_at)
    where k.connection_id = new.id and k.tenant_id = new.tenant_id;
    exit when found or new.due_at is null;
    insert into public.connection_checks (connection_id, tenant_id, environment, lane, due_at, leased_until, failures,
        last_checked_at)
      values (new.id, new.tenant_id, new.environment, new_lane, new.due_at, new.leased_until, new.failures,
        new.last_checked_at)
      on conflict do nothing;
    exit when found;
  end loop;
  return null;
end $$;


--
-- Name: queue_delivery(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_delivery() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  perform public.bring_endpoint_forward(new.endpoint_id, new.tenant_id, new.environment, new.due_at);
  return null;
end $$;


--
-- Name: queue_endpoint(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_endpoint() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  perform public.bring_endpoint_forward(new.id, new.tenant_id, new.environment, '-infinity');
  return null;
end $$;


--
-- Name: check_queues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.check_queues (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT check_queues_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT check_queues_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.check_queues FORCE ROW LEVEL SECURITY;


--
-- Name: queues_in_turn(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queues_in_turn(at timestamp with time zone) RETURNS SETOF public.check_queues
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select q.* from generate_series(0, 2) as l (lane) cross join lateral (
          select * from public.check_queues q where q.lane = l.lane and q.turn_at <= at
          order by q.turn_at limit 32) as q $$;


--
-- Name: read_connections(uuid[], text[], uuid[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.read_connections(tenants uuid[], environments text[], ids uuid[]) RETURNS TABLE(tenant_id uuid, environment text, connection json)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  scope record;
begin
  for scope in
    select w.tenant, w.environment, array_agg(w.id) as ids from unnest(tenants, environments, ids)
      as w (tenant, environment, id) group by w.tenant, w.environment
  loop
    perform set_config('app.tenant', scope.tenant::text, true),
            set_config('app.environment', scope.environment, true);
    return query
      select c.tenant_id, c.environment, to_json(row) from unnest(scope.ids) as wanted (id)
        cross join lateral (select * from public.connections i where i.id = wanted.id limit 1) c
      left join public.certificates s on s.hostname = c.hostname and s.connection_id = c.id
      left join lateral (select k.last_checked_at, k.observed_at from public.connection_checks k
        where k.connection_id = c.id and k.tenant_id = scope.tenant offset 0) k on true
      cross join lateral (select c.id, c.tenant_id, c.environment, c.application_id, c.hostname, c.kind, c.setup_type,
        c.state, c.provider, c.batch_id, c.error_code, c.phase_started_at, c.contest_since, c.contest_deadline,
        c.redirect_to, c.origin_url, c.origin_host_header, c.customer_ref, c.cutover, c.created_at, c.edge,
        c.registrable_domain, c.challenge, c.may_use_credentials, c.zone, c.desired_records, c.pending_records,
        c.observed_records, c.checks, c.misses, c.first_miss_at, c.validation_label, c.validation_status,
        c.target_label, c.points_to_target, c.ownership_method, c.ownership_proven_at, c.front, c.last_checked_at,
        c.first_live_at, c.certificate_id, c.sequence, c.version, c.archived_at,
        k.last_checked_at as checked_at, k.observed_at,
        s.status as certificate_status, s.ca as certificate_ca, s.not_after as certificate_not_after,
        s.error_code as certificate_error, s.issue_id as certificate_issue, s.epoch as certificate_epoch,
        s.due_at as certificate_due, s.source as certificate_source,
        s.fingerprint as certificate_fingerprint) as row;
  end loop;
end $$;


--
-- Name: read_registrations(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.read_registrations(domains text[]) RETURNS TABLE(domain text, expires_at timestamp with time zone, status text[], registrar text, checked_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select r.domain, r.expires_at, r.status, r.registrar, r.checked_at from registrations r
        where r.domain = any (domains) and r.checked_at is not null $$;


--
-- Name: recheck_connection(uuid, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.recheck_connection(connection uuid, moment timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ update public.connection_checks set
          due_at = case when leased_until is null or leased_until <= moment then moment else due_at end,
          recheck_requested = leased_until is not null and leased_until > moment
        where connection_id = connection and due_at is not null;
        select pg_notify('mooring_due', 'connections') $$;


--
-- Name: refuse_lease(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_lease() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  if exists (select from public.connection_checks k where k.connection_id = new.id and k.tenant_id = new.tenant_id
      and k.leased_until is distinct from old.leased_until and k.leased_until > new.leased_until - interval '30 seconds')
  then
    return null;
  end if;
  return new;
end $$;


--
-- Name: report_origins(jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.report_origins(reports jsonb) RETURNS TABLE(connection_id uuid, change text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
#variable_conflict use_column
declare
  r record;
  o public.origin_health;
  was_failing boolean;
  is_unreachable boolean;
  is_reported boolean;
  failing text := '';
  serving text := '';
begin
  for r in
    select (e->>'id')::uuid as id, (e->>'success')::timestamptz as success,
      array(select f::timestamptz from jsonb_array_elements_text(e->'failures') f) as failures
    from jsonb_array_elements(reports) e order by 1
  loop
    if cardinality(r.failures) > 0 then
      insert into public.origin_health (connection_id, failures) values (r.id, '{}') on conflict do nothing;
    end if;
    select h.* into o from public.origin_health h where h.connection_id = r.id for update;
    continue when not found;
    was_failing := cardinality(o.failures) > 0;
    o.last_success_at := greatest(o.last_success_at, r.success);
    o.last_failure_at := greatest(o.last_failure_at, (select max(f) from unnest(r.failures) f));
    o.failures := array(select distinct f from unnest(o.failures || r.failures) f
      where o.last_success_at is null or f > o.last_success_at order by f);
    o.failing_since := case when o.failing_since <= o.last_success_at then o.failures[1]
      else least(o.failing_since, o.failures[1]) end;
    o.failures := o.failures[greatest(1, cardinality(o.failures) - 4):];
    is_unreachable := cardinality(o.failures) >= 5
      or coalesce(o.last_failure_at - o.failing_since >= interval '60 seconds', false);
    o.success_since := case when is_unreachable then null
      when o.success_since is null and cardinality(o.failures) = 0 then o.last_success_at
      else o.success_since end;
    update public.origin_health h set failures = o.failures, failing_since = o.failing_since,
      last_failure_at = o.last_failure_at, last_success_at = o.last_success_at, success_since = o.success_since
    where h.connection_id = r.id;
    if cardinality(o.failures) > 0 then
      failing := failing || ' ' || r.id;
    elsif was_failing then
      serving := serving || ' ' || r.id;
    end if;
    is_reported := exists (select from public.troubles t where t.connection_id = r.id
      and t.kind = 'origin_unreachable' and t.closed_at is null);
    connection_id := r.id;
    change := case
      when is_unreachable and not is_reported then 'unreachable'
      when is_reported and o.success_since is not null then 'serving' end;
    return next;
  end loop;
  if failing <> '' then perform pg_notify('mooring_origins', 'f' || failing); end if;
  if serving <> '' then perform pg_notify('mooring_origins', 's' || serving); end if;
end $$;


--
-- Name: report_traffic(jsonb, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.report_traffic(batch jsonb, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  process uuid := (batch->>'process')::uuid;
  of_minute timestamptz := date_trunc('minute', (batch->>'minute')::timestamptz);
  of_hour timestamptz := date_trunc('hour', of_minute);
  edge int;
  is_whole boolean;
begin
  if of_minute < at - interval '47 hours' or of_minute > at + interval '10 minutes' then return false; end if;
  insert into public.traffic_batches (process_id, minute, part)
    values (process, of_minute, (batch->>'part')::int) on conflict do nothing;
  if not found then return false; end if;
  select e.id into edge from public.traffic_edges e where e.name = batch->>'edge';
  if edge is null then
    insert into public.traffic_edges as e (name) values (batch->>'edge')
      on conflict (name) do update set name = excluded.name returning e.id into edge;
  end if;
  perform public.add_traffic_partition(of_hour);

  insert into public.traffic_hours as h (tenant_id, subject_id, hour, edge_id, application_id, environment, aborted,
      status_1xx, status_2xx, status_3xx, status_4xx, status_5xx, bytes_in, bytes_out, handshakes, refused,
      unattributed, origin_times)
    select (a->>0)::uuid, (r->>0)::uuid, of_hour, edge, (a->>2)::uuid, a->>1, (r->>2)::bigint,
      (r->>3)::bigint, (r->>4)::bigint, (r->>5)::bigint, (r->>6)::bigint, (r->>7)::bigint, (r->>8)::bigint,
      (r->>9)::bigint, (r->>10)::bigint, (r->>11)::bigint, (r->>12)::bigint,
      array(select t::bigint from jsonb_array_elements_text(r->13) t)
    from jsonb_array_elements(batch->'rows') r, lateral (select batch->'applications'->(r->>1)::int as a) l
    order by 1, 2
    on conflict (tenant_id, subject_id, hour, edge_id) do update set
      aborted = h.aborted + excluded.aborted,
      status_1xx = h.status_1xx + excluded.status_1xx,
      status_2xx = h.status_2xx + excluded.status_2xx,
      status_3xx = h.status_3xx + excluded.status_3xx,
      status_4xx = h.status_4xx + excluded.status_4xx,
      status_5xx = h.status_5xx + excluded.status_5xx,
      bytes_in = h.bytes_in + excluded.bytes_in,
      bytes_out = h.bytes_out + excluded.bytes_out,
      handshakes = h.handshakes + excluded.handshakes,
      refused = h.refused + excluded.refused,
      unattributed = h.unattributed + excluded.unattributed,
      origin_times = public.merge_times(h.origin_times || excluded.origin_times);

  insert into public.first_visits (connection_id, tenant_id, environment, at)
    select (r->>0)::uuid, (a->>0)::uuid, a->>1, of_minute
    from jsonb_array_elements(batch->'rows') r, lateral (select batch->'applications'->(r->>1)::int as a) l
    where (r->>0) <> (a->>2)
      and (r->>3)::bigint + (r->>4)::bigint + (r->>5)::bigint + (r->>6)::bigint + (r->>7)::bigint > 0
      and not exists (select from public.first_visits v where v.connection_id = (r->>0)::uuid)
    order by 1
    on conflict do nothing;

  insert into public.traffic_processes as p (id, started_at, last_minute, ended)
    values (process, (batch->>'startedAt')::timestamptz, of_minute, (batch->>'isLast')::boolean)
    on conflict (id) do update set last_minute = greatest(p.last_minute, excluded.last_minute),
      ended = p.ended or excluded.ended;
  is_whole := (batch->>'parts')::int = (select count(*) from public.traffic_batches b
    where b.process_id = process and b.minute = of_minute);
  insert into public.traffic_reports as t (hour, process_id, minutes, others)
    values (of_hour, process, case when is_whole then 1::bigint << extract(minute from of_minute)::int else 0 end,
      (batch->>'others')::bigint)
    on conflict (hour, process_id) do update set minutes = t.minutes | excluded.minutes,
      others = t.others + excluded.others;
  -- Last, because others wait for it. A day that may have been added up already is so again.
  insert into public.traffic_day_states as d (day) values (of_hour::date)
    on conflict (day) do update set version = d.version + 1 where at >= of_hour::date + 1;
  return true;
end $$;


--
-- Name: sandbox_live_since(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.sandbox_live_since(name text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select k.first_live_at
        from public.claims c join only public.connections k on k.id = c.connection_id
        where c.hostname = name $$;


--
-- Name: sandbox_zone(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.sandbox_zone(name text) RETURNS TABLE(tenant_id uuid, nameservers text[], records jsonb, updated_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select z.tenant_id, z.nameservers, z.records, z.updated_at
        from public.sandbox_zones z where z.zone = name $$;


--
-- Name: served_hosts(text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.served_hosts(after_name text, at_most integer) RETURNS TABLE(hostname text, redirect_to text, origin_url text, origin_host_header text, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select c.hostname,
          case when k.redirect_to is not null then (
            select t.hostname from public.claims h
            join only public.connections t on t.id = h.connection_id
            where h.hostname = k.redirect_to and t.application_id = k.application_id
              and t.customer_ref is not distinct from k.customer_ref
              and t.state in ('live', 'drifted')) end,
          coalesce(k.origin_url, a.origin_url), coalesce(k.origin_host_header, a.origin_host_header),
          public.is_suspended(o)
        from public.claims c
        join only public.connections k on k.id = c.connection_id
        join public.applications a on a.id = k.application_id
        join public.tenants o on o.id = k.tenant_id
        where c.hostname > after_name
        order by c.hostname limit at_most $$;


--
-- Name: set_alarm(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.set_alarm() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
begin
  new.alarm_at := new.not_after - (new.not_after - new.not_before) / 4;
  return new;
end $$;


--
-- Name: set_own_plan(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.set_own_plan(new_plan text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ update public.tenants set plan = new_plan where id = public.app_tenant() $$;


--
-- Name: settle_endpoints(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.settle_endpoints(at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
declare
  q record;
  first_due timestamptz;
  next_turn timestamptz;
begin
  for q in
    select i.endpoint_id, i.tenant_id, i.turn_at, e.active, count(*) over () as looked_at
    from public.endpoints_in_turn(at) i cross join lateral (
      select w.active from public.webhook_endpoints w where w.id = i.endpoint_id limit 1) e
  loop
    continue when not pg_try_advisory_xact_lock(public.endpoint_queue_key(q.endpoint_id));
    if q.active then
      select d.due_at into first_due from public.deliveries d
        where d.endpoint_id = q.endpoint_id and d.due_at is not null order by d.due_at limit 1;
    else
      select d.due_at into first_due from public.deliveries d
        where d.endpoint_id = q.endpoint_id and d.event_type = 'endpoint.test' and d.due_at is not null
        order by d.due_at limit 1;
    end if;
    next_turn := case when first_due is null then 'infinity'
      when first_due > at then first_due
      when q.looked_at >= 64 then at
      else q.turn_at end;
    update public.endpoint_queue set turn_at = next_turn
      where endpoint_id = q.endpoint_id and tenant_id = q.tenant_id and turn_at <> next_turn;
  end loop;
end $$;


--
-- Name: settle_queues(timestamp with time zone, uuid[], text[], integer[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.settle_queues(at timestamp with time zone, tenants uuid[], environments text[], lanes integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
declare
  q record;
  first_due timestamptz;
  next_turn timestamptz;
begin
  for q in
    select i.tenant_id, i.environment, i.lane, i.turn_at, s.lane is not null as is_served
    from public.queues_in_turn(at) i left join unnest(tenants, environments, lanes)
      as s (tenant_id, environment, lane) using (tenant_id, environment, lane)
  loop
    continue when not pg_try_advisory_xact_lock(public.check_queue_key(q.tenant_id, q.environment, q.lane));
    select k.due_at into first_due from public.connection_checks k
      where k.tenant_id = q.tenant_id and k.environment = q.environment and k.lane = q.lane and k.due_at is not null
      order by k.due_at limit 1;
    next_turn := case when first_due is null then 'infinity'
      when first_due > at then first_due
      when q.is_served then at
      else q.turn_at end;
    update public.check_queues set turn_at = next_turn
      where tenant_id = q.tenant_id and environment = q.environment and lane = q.lane and turn_at <> next_turn;
  end loop;
end $$;


--
-- Name: spread_traffic_rows(regclass, regclass); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.spread_traffic_rows(parent regclass, loaded regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  part record;
  key text := case parent when 'public.traffic_hours'::regclass then 'hour' else 'day' end;
begin
  -- Of both tables: a partition of either cannot be added beside a default one that has rows for it.
  for part in select i.inhparent::regclass as of_table, i.inhrelid::regclass as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('public.traffic_hours'::regclass, 'public.traffic_days'::regclass)
      and c.relname like '%\_loading'
  loop
    execute format('alter table %s detach partition %s', part.of_table, part.name);
  end loop;
  for part in execute format('select distinct date_trunc(''day'', %I::timestamptz) as at from %s', key, loaded) loop
    perform public.add_traffic_partition(part.at);
  end loop;
  execute format('insert into %s select * from %s', parent, loaded);
  execute format('drop table %s', loaded);
end $$;


--
-- Name: text_pairs(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.text_pairs(content text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$ select coalesce(array_agg(distinct substr(content, i, 2)), '{}')
        from generate_series(1, length(content) - 1) as i $$;


--
-- Name: touch_api_keys(uuid[], timestamp with time zone[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_api_keys(ids uuid[], times timestamp with time zone[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ update public.api_keys k set last_used_at = u.at
        from (select id, at from unnest(ids, times) as x (id, at) order by id) u
        where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at) $$;


--
-- Name: touch_session(uuid, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_session(session uuid, moment timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ with touched as (
          update public.sessions s set last_seen_at = moment
          where s.id = session and s.last_seen_at < moment returning s.member_id)
        update public.members m set last_seen_at = moment from touched
        where m.id = touched.member_id and (m.last_seen_at is null or m.last_seen_at < moment) $$;


--
-- Name: traffic_coverage(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.traffic_coverage(since timestamp with time zone, until timestamp with time zone) RETURNS TABLE(hour timestamp with time zone, expected integer, reported integer, others bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET "TimeZone" TO 'UTC'
    AS $$
  with processes as (
    select p.id, date_trunc('minute', p.started_at) as first_minute,
      greatest(p.last_minute, case when not p.ended then date_trunc('minute', p.seen_at + interval '30 seconds') end)
        as last_minute
    from public.traffic_processes p where p.started_at < until
  )
  select h.hour,
    sum(extract(epoch from least(p.last_minute, h.hour + interval '59 minutes')
      - greatest(p.first_minute, h.hour)) / 60 + 1)::int,
    sum(coalesce(bit_count(t.minutes::bit(64)), 0))::int, sum(coalesce(t.others, 0))::bigint
  from generate_series(date_trunc('hour', since), until - interval '1 microsecond', interval '1 hour') h (hour)
    join processes p on p.first_minute < h.hour + interval '1 hour' and p.last_minute >= h.hour
    left join public.traffic_reports t on t.hour = h.hour and t.process_id = p.id
  group by h.hour
$$;


--
-- Name: validation_label_of(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.validation_label_of(name text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select k.validation_label from public.claims c
        join only public.connections k on k.id = c.connection_id where c.hostname = name $$;


--
-- Name: validation_names(text, integer, text[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.validation_names(after_label text, at_most integer, labels text[], moment timestamp with time zone) RETURNS TABLE(label text, published text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select k.validation_label,
          array(select distinct v.value from public.validation_values v
                where v.label = k.validation_label and v.expires_at > moment order by v.value)
        from only public.connections k
        where k.validation_label > after_label and (labels is null or k.validation_label = any (labels))
          and exists (select from public.claims c where c.connection_id = k.id)
        group by k.validation_label
        order by k.validation_label limit at_most $$;


--
-- Name: waits_for_quota(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.waits_for_quota(name text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ select exists (select from public.claims c join public.quota_waits w on w.connection_id = c.connection_id
          where c.hostname = name) $$;


--
-- Name: add_times(bigint[]); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.add_times(bigint[]) (
    SFUNC = array_cat,
    STYPE = bigint[],
    INITCOND = '{}',
    FINALFUNC = public.merge_times
);


--
-- Name: acme_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.acme_accounts (
    directory text NOT NULL,
    url text,
    sealed_key text NOT NULL,
    created_at timestamp with time zone NOT NULL
);


--
-- Name: acme_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.acme_challenges (
    hostname text NOT NULL,
    kind text NOT NULL,
    token text NOT NULL,
    key_authorization text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT acme_challenges_kind_check CHECK ((kind = ANY (ARRAY['http-01'::text, 'tls-alpn-01'::text])))
);


--
-- Name: acme_orders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.acme_orders (
    hostname text NOT NULL,
    directory text NOT NULL,
    epoch bigint NOT NULL,
    progress jsonb NOT NULL,
    sealed_key text NOT NULL,
    created_at timestamp with time zone NOT NULL
);


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    last4 text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    role text,
    created_by text,
    created_by_name text,
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text])))
);

ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;


--
-- Name: applications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.applications (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    name text NOT NULL,
    allowed_origins text[] DEFAULT '{}'::text[] NOT NULL,
    record_template jsonb DEFAULT '[]'::jsonb NOT NULL,
    origin_url text,
    origin_host_header text DEFAULT 'preserve'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    edge jsonb DEFAULT '{}'::jsonb NOT NULL,
    origins jsonb DEFAULT '[]'::jsonb NOT NULL,
    origin_tls jsonb DEFAULT '{}'::jsonb NOT NULL,
    sealed_client_key text,
    brand jsonb,
    wildcards boolean DEFAULT true NOT NULL,
    deleted_at timestamp with time zone,
    keep_oauth boolean DEFAULT false NOT NULL,
    proofs text[] DEFAULT '{txt,cname,delegation}'::text[] NOT NULL,
    proxied text DEFAULT 'accept'::text NOT NULL,
    fallback_origin jsonb,
    CONSTRAINT applications_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT applications_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT applications_origin_host_header_check CHECK ((origin_host_header = ANY (ARRAY['preserve'::text, 'origin'::text]))),
    CONSTRAINT applications_proofs_check CHECK (((cardinality(proofs) > 0) AND (proofs <@ '{txt,cname,delegation}'::text[])))
);

ALTER TABLE ONLY public.applications FORCE ROW LEVEL SECURITY;


--
-- Name: connections; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connections (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    hostname text NOT NULL,
    registrable_domain text NOT NULL,
    kind text NOT NULL,
    setup_type text NOT NULL,
    state text NOT NULL,
    provider text,
    batch_id uuid,
    error_code text,
    challenge text NOT NULL,
    may_use_credentials boolean NOT NULL,
    desired_records jsonb NOT NULL,
    observed_records jsonb DEFAULT '[]'::jsonb NOT NULL,
    phase_started_at timestamp with time zone NOT NULL,
    checks integer DEFAULT 0 NOT NULL,
    misses integer DEFAULT 0 NOT NULL,
    first_miss_at timestamp with time zone,
    last_checked_at timestamp with time zone,
    first_live_at timestamp with time zone,
    sequence integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    recheck_requested boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    archived_at timestamp with time zone,
    certificate_id uuid,
    cached_until timestamp with time zone,
    zone text,
    pending_records jsonb,
    silent_servers jsonb DEFAULT '{}'::jsonb NOT NULL,
    watched_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    parked_at timestamp with time zone,
    parked_reason text,
    contest_since timestamp with time zone,
    contest_deadline timestamp with time zone,
    redirect_to text,
    origin_url text,
    origin_host_header text,
    customer_ref text,
    validation_label text,
    validation_status text,
    cutover jsonb,
    state_since timestamp with time zone,
    finding jsonb,
    target_label text,
    points_to_target boolean DEFAULT false NOT NULL,
    ownership_method text,
    ownership_proven_at timestamp with time zone,
    front jsonb,
    edge jsonb,
    CONSTRAINT connections_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connections_kind_check CHECK ((kind = ANY (ARRAY['apex'::text, 'subdomain'::text]))),
    CONSTRAINT connections_origin_host_header_check CHECK ((origin_host_header = ANY (ARRAY['preserve'::text, 'origin'::text]))),
    CONSTRAINT connections_ownership_method_check CHECK ((ownership_method = ANY (ARRAY['txt'::text, 'cname'::text, 'delegation'::text, 'import'::text, 'trust_dns'::text]))),
    CONSTRAINT connections_setup_type_check CHECK ((setup_type = ANY (ARRAY['automatic'::text, 'manual'::text, 'semiautomatic'::text, 'shared_login'::text, 'async'::text, 'api'::text]))),
    CONSTRAINT connections_state_check CHECK ((state = ANY (ARRAY['created'::text, 'pending_ownership'::text, 'verifying'::text, 'verified'::text, 'dns_writing'::text, 'propagating'::text, 'stalled'::text, 'issuing_cert'::text, 'live'::text, 'drifted'::text, 'failed'::text, 'archived'::text]))),
    CONSTRAINT connections_validation_status_check CHECK ((validation_status = ANY (ARRAY['absent'::text, 'right'::text, 'wrong'::text])))
);

ALTER TABLE ONLY public.connections FORCE ROW LEVEL SECURITY;


--
-- Name: archived_connections; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.archived_connections (
    CONSTRAINT archived_connections_due_at_check CHECK ((due_at IS NULL)),
    CONSTRAINT archived_connections_leased_until_check CHECK ((leased_until IS NULL)),
    CONSTRAINT archived_connections_parked_at_check CHECK ((parked_at IS NULL)),
    CONSTRAINT archived_connections_state_check CHECK ((state = 'archived'::text))
)
INHERITS (public.connections);

ALTER TABLE ONLY public.archived_connections FORCE ROW LEVEL SECURITY;


--
-- Name: audit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    actor_name text,
    request_id uuid,
    address text,
    CONSTRAINT audit_log_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.audit_log FORCE ROW LEVEL SECURITY;


--
-- Name: certificate_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.certificate_changes (
    id bigint NOT NULL,
    hostname text NOT NULL
);


--
-- Name: certificate_changes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.certificate_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.certificate_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: certificate_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.certificate_keys (
    sha256 bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.certificate_keys FORCE ROW LEVEL SECURITY;


--
-- Name: certificates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.certificates (
    hostname text NOT NULL,
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    epoch bigint NOT NULL,
    status text NOT NULL,
    ca text,
    not_before timestamp with time zone,
    not_after timestamp with time zone,
    last_error text,
    error_code text,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    issuer text,
    chain text,
    sealed_key text,
    issued_at timestamp with time zone,
    issue_id uuid,
    renew_at timestamp with time zone,
    renewal_info jsonb,
    failures integer DEFAULT 0 NOT NULL,
    registrable_domain text,
    ari_due_at timestamp with time zone,
    alarmed_at timestamp with time zone,
    waits integer DEFAULT 0 NOT NULL,
    cached_until timestamp with time zone,
    waits_for text,
    turn bigint,
    preferred_issuer text,
    source text DEFAULT 'automatic'::text NOT NULL,
    fingerprint text,
    alarm_at timestamp with time zone,
    ca_error jsonb,
    CONSTRAINT certificates_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT certificates_source_check CHECK ((source = ANY (ARRAY['automatic'::text, 'own'::text, 'external'::text]))),
    CONSTRAINT certificates_status_check CHECK ((status = ANY (ARRAY['none'::text, 'pending'::text, 'issued'::text, 'renewing'::text, 'failed'::text, 'expired'::text, 'revoked'::text])))
);

ALTER TABLE ONLY public.certificates FORCE ROW LEVEL SECURITY;


--
-- Name: claim_epochs; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.claim_epochs
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: claims; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.claims (
    hostname text NOT NULL,
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    epoch bigint NOT NULL,
    claimed_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.claims FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY public.connection_checks FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_0; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_0 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_0 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_1; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_1 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_1 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_2; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_2 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_2 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_3; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_3 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_3 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_4; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_4 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_4 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_5; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_5 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_5 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_6; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_6 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_6 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_checks_7; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_checks_7 (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    lane integer NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    recheck_requested boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_checked_at timestamp with time zone,
    observed_at timestamp with time zone,
    CONSTRAINT connection_checks_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_checks_lane_check CHECK (((lane >= 0) AND (lane <= 2)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.connection_checks_7 FORCE ROW LEVEL SECURITY;


--
-- Name: connection_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_days (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    created integer NOT NULL,
    live integer NOT NULL,
    failed integer NOT NULL,
    drifted integer NOT NULL,
    took double precision[] NOT NULL,
    CONSTRAINT connection_days_created_check CHECK ((created >= 0)),
    CONSTRAINT connection_days_drifted_check CHECK ((drifted >= 0)),
    CONSTRAINT connection_days_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT connection_days_failed_check CHECK ((failed >= 0)),
    CONSTRAINT connection_days_live_check CHECK ((live >= 0))
);

ALTER TABLE ONLY public.connection_days FORCE ROW LEVEL SECURITY;


--
-- Name: connection_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_search (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT connection_search_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.connection_search FORCE ROW LEVEL SECURITY;


--
-- Name: contests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.contests (
    id uuid NOT NULL,
    hostname text NOT NULL,
    prover_id uuid NOT NULL,
    holder_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    since timestamp with time zone NOT NULL,
    deadline timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    outcome text,
    CONSTRAINT contests_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT contests_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT contests_outcome_check CHECK ((outcome = ANY (ARRAY['holder'::text, 'prover'::text, 'void'::text])))
);

ALTER TABLE ONLY public.contests FORCE ROW LEVEL SECURITY;


--
-- Name: credentials; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credentials (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    provider text NOT NULL,
    name text NOT NULL,
    zone text,
    sealed text NOT NULL,
    last4 text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    last_error text,
    refused_at timestamp with time zone,
    failing_since timestamp with time zone,
    failure_reported_at timestamp with time zone,
    connection_ids uuid[],
    refresh_at timestamp with time zone,
    CONSTRAINT credentials_check CHECK (((refresh_at IS NULL) OR (connection_ids IS NOT NULL))),
    CONSTRAINT credentials_connection_ids_check CHECK (((cardinality(connection_ids) >= 1) AND (cardinality(connection_ids) <= 2))),
    CONSTRAINT credentials_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT credentials_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

ALTER TABLE ONLY public.credentials FORCE ROW LEVEL SECURITY;


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    replay_requested boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    parked_at timestamp with time zone,
    parked_reason text,
    CONSTRAINT deliveries_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'exhausted'::text])))
);

ALTER TABLE ONLY public.deliveries FORCE ROW LEVEL SECURITY;


--
-- Name: dns_writes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.dns_writes (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    credential_id uuid,
    provider text NOT NULL,
    zone text NOT NULL,
    changes jsonb NOT NULL,
    outcome text NOT NULL,
    error text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    unchanged boolean DEFAULT false NOT NULL,
    purpose text DEFAULT 'connection'::text NOT NULL,
    CONSTRAINT dns_writes_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT dns_writes_outcome_check CHECK ((outcome = ANY (ARRAY['planned'::text, 'applied'::text, 'failed'::text]))),
    CONSTRAINT dns_writes_purpose_check CHECK ((purpose = ANY (ARRAY['connection'::text, 'email'::text])))
);

ALTER TABLE ONLY public.dns_writes FORCE ROW LEVEL SECURITY;


--
-- Name: domain_connect_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domain_connect_attempts (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    mode text NOT NULL,
    state_hash bytea NOT NULL,
    redirect_uri text,
    provider_id text,
    provider_name text NOT NULL,
    zone text NOT NULL,
    host text NOT NULL,
    service_id text NOT NULL,
    key_label text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    returned_at timestamp with time zone,
    outcome text,
    error text,
    CONSTRAINT domain_connect_attempts_check CHECK (((returned_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT domain_connect_attempts_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT domain_connect_attempts_mode_check CHECK ((mode = ANY (ARRAY['sync'::text, 'async'::text]))),
    CONSTRAINT domain_connect_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['returned'::text, 'cancelled'::text, 'refused'::text, 'failed'::text]))),
    CONSTRAINT domain_connect_attempts_state_hash_check CHECK ((length(state_hash) = 32))
);

ALTER TABLE ONLY public.domain_connect_attempts FORCE ROW LEVEL SECURITY;


--
-- Name: domain_connect_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domain_connect_grants (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    provider_id text NOT NULL,
    provider_name text NOT NULL,
    zone text NOT NULL,
    host text NOT NULL,
    service_id text NOT NULL,
    sealed text NOT NULL,
    token_expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    applied_at timestamp with time zone,
    CONSTRAINT domain_connect_grants_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.domain_connect_grants FORCE ROW LEVEL SECURITY;


--
-- Name: domain_connect_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domain_connect_keys (
    id uuid NOT NULL,
    label text NOT NULL,
    domain text NOT NULL,
    public_key text NOT NULL,
    sealed text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    activated_at timestamp with time zone,
    retired_at timestamp with time zone,
    CONSTRAINT domain_connect_keys_label_check CHECK (((label ~ '^_[a-z0-9]([a-z0-9-]*[a-z0-9])?$'::text) AND (length(label) <= 63)))
);


--
-- Name: drop_in_fields; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.drop_in_fields (
    connection_id uuid NOT NULL,
    vendor text NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    fields jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT drop_in_fields_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT drop_in_fields_vendor_check CHECK ((vendor = ANY (ARRAY['cloudflare'::text, 'vercel'::text])))
);

ALTER TABLE ONLY public.drop_in_fields FORCE ROW LEVEL SECURITY;


--
-- Name: edge_claim_lines; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.edge_claim_lines AS
 SELECT c.hostname,
    concat_ws('	'::text, c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain,
        CASE
            WHEN ((k.redirect_to IS NULL) AND (k.origin_url IS NULL) AND (k.origin_host_header IS NULL) AND (k.edge IS NULL)) THEN ''::text
            ELSE (json_strip_nulls(json_build_object('redirectTo',
            CASE
                WHEN (k.redirect_to IS NOT NULL) THEN ( SELECT t.hostname
                   FROM (public.claims h
                     JOIN ONLY public.connections t ON ((t.id = h.connection_id)))
                  WHERE ((h.hostname = k.redirect_to) AND (t.application_id = k.application_id) AND (NOT (t.customer_ref IS DISTINCT FROM k.customer_ref)) AND (t.state = ANY (ARRAY['live'::text, 'drifted'::text]))))
                ELSE NULL::text
            END, 'originUrl', k.origin_url, 'originHostHeader', k.origin_host_header, 'rules', k.edge)))::text
        END, COALESCE((to_json(k.customer_ref))::text, ''::text)) AS line
   FROM (public.claims c
     JOIN ONLY public.connections k ON ((k.id = c.connection_id)));


--
-- Name: edges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.edges (
    id uuid NOT NULL,
    address text NOT NULL,
    version text NOT NULL,
    certificates integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    CONSTRAINT edges_certificates_check CHECK ((certificates >= 0))
);


--
-- Name: email_setups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.email_setups (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    domain text NOT NULL,
    provider text NOT NULL,
    records jsonb NOT NULL,
    spf_term text NOT NULL,
    applied boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT email_setups_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.email_setups FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_jobs (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    endpoint_id uuid NOT NULL,
    kind text NOT NULL,
    since timestamp with time zone,
    event_type text,
    failed_only boolean DEFAULT false NOT NULL,
    cursor_at timestamp with time zone,
    cursor_id uuid,
    done bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT endpoint_jobs_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT endpoint_jobs_kind_check CHECK ((kind = ANY (ARRAY['resume'::text, 'replay'::text, 'delete'::text])))
);

ALTER TABLE ONLY public.endpoint_jobs FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_0; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_0 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_0 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_1; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_1 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_1 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_2; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_2 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_2 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_3; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_3 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_3 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_4; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_4 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_4 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_5; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_5 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_5 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_6; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_6 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_6 FORCE ROW LEVEL SECURITY;


--
-- Name: endpoint_queue_7; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endpoint_queue_7 (
    endpoint_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    turn_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoint_queue_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.endpoint_queue_7 FORCE ROW LEVEL SECURITY;


--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    connection_id uuid,
    sequence integer NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    customer_ref text,
    CONSTRAINT events_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;


--
-- Name: first_visits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.first_visits (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT first_visits_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.first_visits FORCE ROW LEVEL SECURITY;


--
-- Name: foreign_certificates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.foreign_certificates (
    connection_id uuid NOT NULL,
    certificate bytea NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    public_key bytea NOT NULL,
    issuer text NOT NULL,
    serial text NOT NULL,
    names text[] NOT NULL,
    not_before timestamp with time zone NOT NULL,
    not_after timestamp with time zone NOT NULL,
    log text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    reported_at timestamp with time zone,
    CONSTRAINT foreign_certificates_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.foreign_certificates FORCE ROW LEVEL SECURITY;


--
-- Name: held_hostnames; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.held_hostnames (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    held bigint NOT NULL,
    CONSTRAINT held_hostnames_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT held_hostnames_held_check CHECK ((held >= 0))
);

ALTER TABLE ONLY public.held_hostnames FORCE ROW LEVEL SECURITY;


--
-- Name: host_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_changes (
    id bigint NOT NULL,
    hostname text,
    application_id uuid
);


--
-- Name: host_changes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.host_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.host_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor text DEFAULT ''::text NOT NULL,
    CONSTRAINT idempotency_keys_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;


--
-- Name: imported_certificates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.imported_certificates (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    ca text NOT NULL,
    chain text NOT NULL,
    sealed_key text NOT NULL,
    fingerprint text NOT NULL,
    not_before timestamp with time zone NOT NULL,
    not_after timestamp with time zone NOT NULL,
    renew_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT imported_certificates_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.imported_certificates FORCE ROW LEVEL SECURITY;


--
-- Name: issuance_budget; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issuance_budget (
    name text NOT NULL,
    arrives_at timestamp with time zone NOT NULL,
    held_until timestamp with time zone,
    held_for text,
    outages integer DEFAULT 0 NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    rate_count integer,
    rate_seconds integer,
    CONSTRAINT issuance_budget_held_for_check CHECK ((held_for = ANY (ARRAY['ca_rate_limited'::text, 'ca_unavailable'::text])))
);


--
-- Name: key_check; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_check (
    key_id text NOT NULL,
    sealed text NOT NULL,
    created_at timestamp with time zone NOT NULL
);


--
-- Name: left_behind; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.left_behind (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    hostname text NOT NULL,
    archived_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    seen text,
    agreeing integer DEFAULT 0 NOT NULL,
    dangling_since timestamp with time zone,
    reported_at timestamp with time zone,
    CONSTRAINT left_behind_agreeing_check CHECK ((agreeing >= 0)),
    CONSTRAINT left_behind_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT left_behind_seen_check CHECK ((seen = ANY (ARRAY['here'::text, 'gone'::text])))
);

ALTER TABLE ONLY public.left_behind FORCE ROW LEVEL SECURITY;


--
-- Name: local_ca; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.local_ca (
    id integer NOT NULL,
    certificate text NOT NULL,
    sealed_key text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT local_ca_id_check CHECK ((id = 1))
);


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    email text NOT NULL,
    name text,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone,
    CONSTRAINT members_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
    CONSTRAINT members_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text])))
);

ALTER TABLE ONLY public.members FORCE ROW LEVEL SECURITY;


--
-- Name: oauth_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_grants (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    provider text NOT NULL,
    state_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    returned_at timestamp with time zone,
    grant_hash bytea,
    sealed text,
    CONSTRAINT oauth_grants_check CHECK (((grant_hash IS NULL) = (sealed IS NULL))),
    CONSTRAINT oauth_grants_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT oauth_grants_grant_hash_check CHECK ((length(grant_hash) = 32)),
    CONSTRAINT oauth_grants_state_hash_check CHECK ((length(state_hash) = 32))
);

ALTER TABLE ONLY public.oauth_grants FORCE ROW LEVEL SECURITY;


--
-- Name: origin_health; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.origin_health (
    connection_id uuid NOT NULL,
    failures timestamp with time zone[] NOT NULL,
    failing_since timestamp with time zone,
    last_failure_at timestamp with time zone,
    last_success_at timestamp with time zone,
    success_since timestamp with time zone
);

ALTER TABLE ONLY public.origin_health FORCE ROW LEVEL SECURITY;


--
-- Name: passkeys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkeys (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    member_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

ALTER TABLE ONLY public.passkeys FORCE ROW LEVEL SECURITY;


--
-- Name: pdns_domainmetadata; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.pdns_domainmetadata AS
 SELECT 1 AS domain_id,
    ''::text AS kind,
    ''::text AS content
  WHERE false;


--
-- Name: pdns_domains; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.pdns_domains AS
 SELECT 1 AS id,
    current_setting('mooring.validation_zone'::text, true) AS name,
    NULL::text AS master,
    NULL::integer AS last_check,
    'NATIVE'::text AS type,
    NULL::integer AS notified_serial,
    NULL::text AS options,
    NULL::text AS catalog,
    ''::text AS account
  WHERE (current_setting('mooring.validation_zone'::text, true) <> ''::text);


--
-- Name: validation_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.validation_changes (
    id bigint NOT NULL,
    label text NOT NULL
);


--
-- Name: validation_values; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.validation_values (
    hostname text NOT NULL,
    label text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT validation_values_value_check CHECK (((length(value) >= 1) AND (length(value) <= 255)))
);


--
-- Name: pdns_records; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.pdns_records AS
 SELECT z.id AS domain_id,
    r.label,
        CASE r.label
            WHEN ''::text THEN z.name
            ELSE ((r.label || '.'::text) || z.name)
        END AS name,
    r.type,
    r.content,
    r.ttl,
    0 AS prio,
    false AS disabled,
    NULL::text AS ordername,
    true AS auth
   FROM (public.pdns_domains z
     CROSS JOIN ( SELECT ''::text AS label,
            'SOA'::text AS type,
            3600 AS ttl,
            format('%s hostmaster.%s %s 3600 600 86400 5'::text, split_part(current_setting('mooring.validation_ns'::text, true), ','::text, 1), current_setting('mooring.validation_zone'::text, true), ( SELECT (COALESCE(max(c.id), (0)::bigint) + 1)
                   FROM public.validation_changes c)) AS content
        UNION ALL
         SELECT ''::text AS text,
            'NS'::text AS text,
            3600,
            TRIM(BOTH FROM server.server) AS btrim
           FROM unnest(string_to_array(current_setting('mooring.validation_ns'::text, true), ','::text)) server(server)
        UNION ALL
         SELECT v.label,
            'TXT'::text AS text,
            1,
            (('"'::text || replace(replace(v.value, '\'::text, '\\'::text), '"'::text, '\"'::text)) || '"'::text)
           FROM public.validation_values v
          WHERE (v.expires_at > now())
          GROUP BY v.label, v.value
        UNION ALL
         SELECT k.validation_label,
            NULL::text AS text,
            1,
            NULL::text AS text
           FROM ONLY public.connections k
          WHERE ((k.validation_label IS NOT NULL) AND (EXISTS ( SELECT
                   FROM public.claims c
                  WHERE (c.connection_id = k.id))) AND (NOT (EXISTS ( SELECT
                   FROM public.validation_values v
                  WHERE ((v.label = k.validation_label) AND (v.expires_at > now()))))))
          GROUP BY k.validation_label) r);


--
-- Name: pdns_tsigkeys; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.pdns_tsigkeys AS
 SELECT ''::text AS name,
    ''::text AS algorithm,
    ''::text AS secret
  WHERE false;


--
-- Name: quota_waits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_waits (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    since timestamp with time zone NOT NULL,
    CONSTRAINT quota_waits_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.quota_waits FORCE ROW LEVEL SECURITY;


--
-- Name: rdap_bootstrap; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rdap_bootstrap (
    is_only boolean DEFAULT true NOT NULL,
    published_at timestamp with time zone NOT NULL,
    content text NOT NULL,
    installed_at timestamp with time zone NOT NULL,
    CONSTRAINT rdap_bootstrap_is_only_check CHECK (is_only)
);


--
-- Name: rdap_servers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rdap_servers (
    host text NOT NULL,
    free_at timestamp with time zone NOT NULL,
    paused_until timestamp with time zone
);


--
-- Name: registered_names; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.registered_names (
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    domain text NOT NULL,
    notified_expires_at timestamp with time zone,
    notified_days integer,
    CONSTRAINT registered_names_check CHECK (((notified_expires_at IS NULL) = (notified_days IS NULL))),
    CONSTRAINT registered_names_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.registered_names FORCE ROW LEVEL SECURITY;


--
-- Name: registration_scan; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.registration_scan (
    is_only boolean DEFAULT true NOT NULL,
    after_id uuid,
    started_at timestamp with time zone,
    CONSTRAINT registration_scan_is_only_check CHECK (is_only)
);


--
-- Name: registrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.registrations (
    domain text NOT NULL,
    expires_at timestamp with time zone,
    status text[] DEFAULT '{}'::text[] NOT NULL,
    registrar text,
    checked_at timestamp with time zone,
    outcome text,
    ask_at timestamp with time zone,
    is_reserved boolean DEFAULT false NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT registrations_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'unknown'::text, 'failed'::text, 'limited'::text, 'no_server'::text])))
);

ALTER TABLE ONLY public.registrations FORCE ROW LEVEL SECURITY;


--
-- Name: removal_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.removal_links (
    token_hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT removal_links_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT removal_links_token_hash_check CHECK ((length(token_hash) = 32))
);

ALTER TABLE ONLY public.removal_links FORCE ROW LEVEL SECURITY;


--
-- Name: sandbox_zones; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sandbox_zones (
    zone text NOT NULL,
    tenant_id uuid NOT NULL,
    nameservers text[] NOT NULL,
    records jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.sandbox_zones FORCE ROW LEVEL SECURITY;


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);


--
-- Name: sending_domains; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sending_domains (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    provider text NOT NULL,
    domain text NOT NULL,
    inputs jsonb NOT NULL,
    records jsonb NOT NULL,
    advice jsonb NOT NULL,
    spf_term text,
    status text NOT NULL,
    sealed_access text,
    account_error text,
    checked_at timestamp with time zone,
    ready_at timestamp with time zone,
    accepted_at timestamp with time zone,
    checks integer DEFAULT 0 NOT NULL,
    misses integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT sending_domains_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT sending_domains_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'ready'::text, 'accepted'::text, 'broken'::text])))
);

ALTER TABLE ONLY public.sending_domains FORCE ROW LEVEL SECURITY;


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    tenant_id uuid,
    member_id uuid,
    role text,
    signed_in_by text NOT NULL,
    address text,
    user_agent text,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT sessions_check CHECK (((tenant_id IS NULL) = (role IS NULL))),
    CONSTRAINT sessions_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text]))),
    CONSTRAINT sessions_signed_in_by_check CHECK ((signed_in_by = ANY (ARRAY['link'::text, 'oidc'::text, 'passkey'::text]))),
    CONSTRAINT sessions_token_hash_check CHECK ((length(token_hash) = 32))
);

ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;


--
-- Name: share_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.share_links (
    token_hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT share_links_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.share_links FORCE ROW LEVEL SECURITY;


--
-- Name: sign_in_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_attempts (
    token_hash bytea NOT NULL,
    kind text NOT NULL,
    details jsonb NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_attempts_kind_check CHECK ((kind = ANY (ARRAY['oidc'::text, 'choice'::text, 'passkey'::text, 'passkey_registration'::text]))),
    CONSTRAINT sign_in_attempts_token_hash_check CHECK ((length(token_hash) = 32))
);


--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_links (
    token_hash bytea NOT NULL,
    tenant_id uuid,
    member_id uuid,
    role text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_links_check CHECK (((tenant_id IS NULL) = (role IS NULL))),
    CONSTRAINT sign_in_links_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text]))),
    CONSTRAINT sign_in_links_token_hash_check CHECK ((length(token_hash) = 32))
);

ALTER TABLE ONLY public.sign_in_links FORCE ROW LEVEL SECURITY;


--
-- Name: signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.signing_keys (
    id text NOT NULL,
    purpose text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT signing_keys_purpose_check CHECK ((purpose = ANY (ARRAY['widget'::text, 'assertion'::text])))
);

ALTER TABLE ONLY public.signing_keys FORCE ROW LEVEL SECURITY;


--
-- Name: status_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.status_links (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    customer_ref text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT status_links_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.status_links FORCE ROW LEVEL SECURITY;


--
-- Name: subscriptions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.subscriptions (
    tenant_id uuid NOT NULL,
    plan text NOT NULL,
    status text NOT NULL,
    stripe_customer text,
    stripe_subscription text,
    current_period_end timestamp with time zone,
    last_event_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT subscriptions_status_check CHECK ((status = ANY (ARRAY['incomplete'::text, 'active'::text, 'past_due'::text, 'canceled'::text])))
);

ALTER TABLE ONLY public.subscriptions FORCE ROW LEVEL SECURITY;


--
-- Name: targets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.targets (
    label text NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    customer_ref text,
    hostname text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT targets_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT targets_label_check CHECK (((length(label) >= 26) AND (length(label) <= 63)))
);

ALTER TABLE ONLY public.targets FORCE ROW LEVEL SECURITY;


--
-- Name: tenant_domains; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tenant_domains (
    tenant_id uuid NOT NULL,
    domain text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT tenant_domains_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text])))
);

ALTER TABLE ONLY public.tenant_domains FORCE ROW LEVEL SECURITY;


--
-- Name: ticket_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ticket_keys (
    id uuid NOT NULL,
    sealed text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.ticket_keys FORCE ROW LEVEL SECURITY;


--
-- Name: timeline; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.timeline (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    kind text NOT NULL,
    from_state text,
    to_state text,
    error_code text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor text,
    actor_name text,
    CONSTRAINT timeline_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT timeline_kind_check CHECK ((kind = ANY (ARRAY['state'::text, 'check'::text, 'write'::text, 'certificate'::text, 'delivery'::text])))
);

ALTER TABLE ONLY public.timeline FORCE ROW LEVEL SECURITY;


--
-- Name: token_connections; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token_connections (
    token_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT token_connections_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.token_connections FORCE ROW LEVEL SECURITY;


--
-- Name: traffic_batches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_batches (
    process_id uuid NOT NULL,
    minute timestamp with time zone NOT NULL,
    part integer NOT NULL
);


--
-- Name: traffic_day_states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_day_states (
    day date NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    rolled_version bigint
);


--
-- Name: traffic_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_days (
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    day date NOT NULL,
    edge_id integer NOT NULL,
    application_id uuid NOT NULL,
    environment text NOT NULL,
    aborted bigint NOT NULL,
    status_1xx bigint NOT NULL,
    status_2xx bigint NOT NULL,
    status_3xx bigint NOT NULL,
    status_4xx bigint NOT NULL,
    status_5xx bigint NOT NULL,
    bytes_in bigint NOT NULL,
    bytes_out bigint NOT NULL,
    handshakes bigint NOT NULL,
    refused bigint NOT NULL,
    unattributed bigint NOT NULL,
    origin_times bigint[] NOT NULL,
    CONSTRAINT traffic_days_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
PARTITION BY RANGE (day);

ALTER TABLE ONLY public.traffic_days FORCE ROW LEVEL SECURITY;


--
-- Name: traffic_edges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_edges (
    id integer NOT NULL,
    name text NOT NULL
);


--
-- Name: traffic_edges_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.traffic_edges ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.traffic_edges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: traffic_hours; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_hours (
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    edge_id integer NOT NULL,
    application_id uuid NOT NULL,
    environment text NOT NULL,
    aborted bigint NOT NULL,
    status_1xx bigint NOT NULL,
    status_2xx bigint NOT NULL,
    status_3xx bigint NOT NULL,
    status_4xx bigint NOT NULL,
    status_5xx bigint NOT NULL,
    bytes_in bigint NOT NULL,
    bytes_out bigint NOT NULL,
    handshakes bigint NOT NULL,
    refused bigint NOT NULL,
    unattributed bigint NOT NULL,
    origin_times bigint[] NOT NULL,
    CONSTRAINT traffic_hours_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
)
PARTITION BY RANGE (hour);

ALTER TABLE ONLY public.traffic_hours FORCE ROW LEVEL SECURITY;


--
-- Name: traffic_processes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_processes (
    id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    last_minute timestamp with time zone,
    seen_at timestamp with time zone,
    ended boolean DEFAULT false NOT NULL
);


--
-- Name: traffic_rankings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_rankings (
    hour timestamp with time zone NOT NULL,
    ranked_at timestamp with time zone NOT NULL
);


--
-- Name: traffic_reports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_reports (
    hour timestamp with time zone NOT NULL,
    process_id uuid NOT NULL,
    minutes bigint DEFAULT 0 NOT NULL,
    others bigint DEFAULT 0 NOT NULL
);


--
-- Name: traffic_tops; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.traffic_tops (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    scope_id uuid NOT NULL,
    step text NOT NULL,
    sort text NOT NULL,
    at timestamp with time zone NOT NULL,
    subject_id uuid NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT traffic_tops_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT traffic_tops_sort_check CHECK ((sort = ANY (ARRAY['requests'::text, 'errors'::text, 'bytes'::text]))),
    CONSTRAINT traffic_tops_step_check CHECK ((step = ANY (ARRAY['hour'::text, 'day'::text])))
);

ALTER TABLE ONLY public.traffic_tops FORCE ROW LEVEL SECURITY;


--
-- Name: transparency_logs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.transparency_logs (
    id text NOT NULL,
    description text NOT NULL,
    url text NOT NULL,
    tree_size bigint,
    root_hash bytea,
    "position" bigint DEFAULT 0 NOT NULL,
    frontier bytea DEFAULT '\x'::bytea NOT NULL,
    read_until timestamp with time zone,
    checked_at timestamp with time zone,
    entries_read bigint DEFAULT 0 NOT NULL,
    entries_unreadable bigint DEFAULT 0 NOT NULL,
    last_error text,
    failures integer DEFAULT 0 NOT NULL,
    stopped_at timestamp with time zone,
    stop_reason text,
    listed_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    leased_until timestamp with time zone,
    version bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT transparency_logs_stop_reason_check CHECK ((stop_reason = ANY (ARRAY['bad_signature'::text, 'fork'::text, 'wrong_entries'::text])))
);

ALTER TABLE ONLY public.transparency_logs FORCE ROW LEVEL SECURITY;


--
-- Name: troubles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.troubles (
    connection_id uuid NOT NULL,
    kind text NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    reason text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    clear_since timestamp with time zone,
    closed_at timestamp with time zone,
    episodes integer NOT NULL,
    CONSTRAINT troubles_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT troubles_kind_check CHECK ((kind = ANY (ARRAY['certificate_expired'::text, 'certificate_at_risk'::text, 'origin_unreachable'::text])))
);

ALTER TABLE ONLY public.troubles FORCE ROW LEVEL SECURITY;


--
-- Name: usage_causes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_causes (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    kind text NOT NULL,
    cause uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT usage_causes_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT usage_causes_kind_check CHECK ((kind = ANY (ARRAY['connect'::text, 'cert'::text])))
);

ALTER TABLE ONLY public.usage_causes FORCE ROW LEVEL SECURITY;


--
-- Name: usage_counters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_counters (
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    period date NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT usage_counters_amount_check CHECK ((amount >= 0)),
    CONSTRAINT usage_counters_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
    CONSTRAINT usage_counters_kind_check CHECK ((kind = ANY (ARRAY['connect'::text, 'active_domain'::text, 'cert'::text, 'api_call'::text])))
);

ALTER TABLE ONLY public.usage_counters FORCE ROW LEVEL SECURITY;


--
-- Name: validation_changes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.validation_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.validation_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: webhook_endpoints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    environment text NOT NULL,
    application_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    active boolean NOT NULL,
    disabled_reason text,
    sealed_secret text NOT NULL,
    sealed_previous_secret text,
    previous_until timestamp with time zone,
    failing_since timestamp with time zone,
    last_failed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    sealed_url text,
    masked_url text,
    deleted_at timestamp with time zone,
    format text DEFAULT 'standard'::text NOT NULL,
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoints_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

ALTER TABLE ONLY public.webhook_endpoints FORCE ROW LEVEL SECURITY;


--
-- Name: zone_leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.zone_leases (
    provider text NOT NULL,
    zone text NOT NULL,
    owner uuid NOT NULL,
    leased_until timestamp with time zone NOT NULL
);


--
-- Name: zone_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.zone_reads (
    reader uuid NOT NULL,
    zone text NOT NULL,
    records integer NOT NULL,
    short_records integer,
    short_since timestamp with time zone,
    read_at timestamp with time zone NOT NULL
);


--
-- Name: connection_checks_0; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_0 FOR VALUES WITH (modulus 8, remainder 0);


--
-- Name: connection_checks_1; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_1 FOR VALUES WITH (modulus 8, remainder 1);


--
-- Name: connection_checks_2; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_2 FOR VALUES WITH (modulus 8, remainder 2);


--
-- Name: connection_checks_3; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_3 FOR VALUES WITH (modulus 8, remainder 3);


--
-- Name: connection_checks_4; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_4 FOR VALUES WITH (modulus 8, remainder 4);


--
-- Name: connection_checks_5; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_5 FOR VALUES WITH (modulus 8, remainder 5);


--
-- Name: connection_checks_6; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_6 FOR VALUES WITH (modulus 8, remainder 6);


--
-- Name: connection_checks_7; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks ATTACH PARTITION public.connection_checks_7 FOR VALUES WITH (modulus 8, remainder 7);


--
-- Name: endpoint_queue_0; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_0 FOR VALUES WITH (modulus 8, remainder 0);


--
-- Name: endpoint_queue_1; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_1 FOR VALUES WITH (modulus 8, remainder 1);


--
-- Name: endpoint_queue_2; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_2 FOR VALUES WITH (modulus 8, remainder 2);


--
-- Name: endpoint_queue_3; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_3 FOR VALUES WITH (modulus 8, remainder 3);


--
-- Name: endpoint_queue_4; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_4 FOR VALUES WITH (modulus 8, remainder 4);


--
-- Name: endpoint_queue_5; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_5 FOR VALUES WITH (modulus 8, remainder 5);


--
-- Name: endpoint_queue_6; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_6 FOR VALUES WITH (modulus 8, remainder 6);


--
-- Name: endpoint_queue_7; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue ATTACH PARTITION public.endpoint_queue_7 FOR VALUES WITH (modulus 8, remainder 7);


--
-- Name: archived_connections observed_records; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN observed_records SET DEFAULT '[]'::jsonb;


--
-- Name: archived_connections checks; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN checks SET DEFAULT 0;


--
-- Name: archived_connections misses; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN misses SET DEFAULT 0;


--
-- Name: archived_connections sequence; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN sequence SET DEFAULT 0;


--
-- Name: archived_connections version; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN version SET DEFAULT 0;


--
-- Name: archived_connections recheck_requested; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN recheck_requested SET DEFAULT false;


--
-- Name: archived_connections silent_servers; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN silent_servers SET DEFAULT '{}'::jsonb;


--
-- Name: archived_connections failures; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN failures SET DEFAULT 0;


--
-- Name: archived_connections points_to_target; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections ALTER COLUMN points_to_target SET DEFAULT false;


--
-- Name: acme_accounts acme_accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acme_accounts
    ADD CONSTRAINT acme_accounts_pkey PRIMARY KEY (directory);


--
-- Name: acme_challenges acme_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acme_challenges
    ADD CONSTRAINT acme_challenges_pkey PRIMARY KEY (hostname, kind, token);


--
-- Name: acme_orders acme_orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acme_orders
    ADD CONSTRAINT acme_orders_pkey PRIMARY KEY (hostname);


--
-- Name: api_keys api_keys_key_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: applications applications_id_tenant_id_environment_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_id_tenant_id_environment_key UNIQUE (id, tenant_id, environment);


--
-- Name: applications applications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_pkey PRIMARY KEY (id);


--
-- Name: applications applications_proxied_check; Type: CHECK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.applications
    ADD CONSTRAINT applications_proxied_check CHECK ((proxied = ANY (ARRAY['accept'::text, 'refuse'::text]))) NOT VALID;


--
-- Name: archived_connections archived_connections_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections
    ADD CONSTRAINT archived_connections_pkey PRIMARY KEY (id);


--
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);


--
-- Name: certificate_changes certificate_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.certificate_changes
    ADD CONSTRAINT certificate_changes_pkey PRIMARY KEY (id);


--
-- Name: certificate_keys certificate_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.certificate_keys
    ADD CONSTRAINT certificate_keys_pkey PRIMARY KEY (sha256);


--
-- Name: certificates certificates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT certificates_pkey PRIMARY KEY (hostname);


--
-- Name: check_queues check_queues_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.check_queues
    ADD CONSTRAINT check_queues_pkey PRIMARY KEY (tenant_id, environment, lane);


--
-- Name: claims claims_connection_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_connection_id_key UNIQUE (connection_id);


--
-- Name: claims claims_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_pkey PRIMARY KEY (hostname);


--
-- Name: connection_checks connection_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks
    ADD CONSTRAINT connection_checks_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_0 connection_checks_0_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_0
    ADD CONSTRAINT connection_checks_0_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_1 connection_checks_1_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_1
    ADD CONSTRAINT connection_checks_1_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_2 connection_checks_2_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_2
    ADD CONSTRAINT connection_checks_2_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_3 connection_checks_3_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_3
    ADD CONSTRAINT connection_checks_3_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_4 connection_checks_4_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_4
    ADD CONSTRAINT connection_checks_4_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_5 connection_checks_5_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_5
    ADD CONSTRAINT connection_checks_5_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_6 connection_checks_6_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_6
    ADD CONSTRAINT connection_checks_6_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_checks_7 connection_checks_7_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_checks_7
    ADD CONSTRAINT connection_checks_7_pkey PRIMARY KEY (connection_id, tenant_id);


--
-- Name: connection_days connection_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_days
    ADD CONSTRAINT connection_days_pkey PRIMARY KEY (tenant_id, environment, day);


--
-- Name: connection_search connection_search_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_search
    ADD CONSTRAINT connection_search_pkey PRIMARY KEY (connection_id);


--
-- Name: connections connections_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (id);


--
-- Name: contests contests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.contests
    ADD CONSTRAINT contests_pkey PRIMARY KEY (id);


--
-- Name: credentials credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (id);


--
-- Name: deliveries deliveries_endpoint_id_event_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);


--
-- Name: dns_writes dns_writes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dns_writes
    ADD CONSTRAINT dns_writes_pkey PRIMARY KEY (id);


--
-- Name: domain_connect_attempts domain_connect_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_connect_attempts
    ADD CONSTRAINT domain_connect_attempts_pkey PRIMARY KEY (id);


--
-- Name: domain_connect_attempts domain_connect_attempts_state_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_connect_attempts
    ADD CONSTRAINT domain_connect_attempts_state_hash_key UNIQUE (state_hash);


--
-- Name: domain_connect_grants domain_connect_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_connect_grants
    ADD CONSTRAINT domain_connect_grants_pkey PRIMARY KEY (connection_id);


--
-- Name: domain_connect_keys domain_connect_keys_label_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_connect_keys
    ADD CONSTRAINT domain_connect_keys_label_key UNIQUE (label);


--
-- Name: domain_connect_keys domain_connect_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_connect_keys
    ADD CONSTRAINT domain_connect_keys_pkey PRIMARY KEY (id);


--
-- Name: drop_in_fields drop_in_fields_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.drop_in_fields
    ADD CONSTRAINT drop_in_fields_pkey PRIMARY KEY (connection_id, vendor);


--
-- Name: edges edges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.edges
    ADD CONSTRAINT edges_pkey PRIMARY KEY (id);


--
-- Name: email_setups email_setups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.email_setups
    ADD CONSTRAINT email_setups_pkey PRIMARY KEY (connection_id);


--
-- Name: endpoint_jobs endpoint_jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_jobs
    ADD CONSTRAINT endpoint_jobs_pkey PRIMARY KEY (id);


--
-- Name: endpoint_queue endpoint_queue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue
    ADD CONSTRAINT endpoint_queue_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_0 endpoint_queue_0_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_0
    ADD CONSTRAINT endpoint_queue_0_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_1 endpoint_queue_1_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_1
    ADD CONSTRAINT endpoint_queue_1_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_2 endpoint_queue_2_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_2
    ADD CONSTRAINT endpoint_queue_2_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_3 endpoint_queue_3_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_3
    ADD CONSTRAINT endpoint_queue_3_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_4 endpoint_queue_4_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_4
    ADD CONSTRAINT endpoint_queue_4_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_5 endpoint_queue_5_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_5
    ADD CONSTRAINT endpoint_queue_5_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_6 endpoint_queue_6_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_6
    ADD CONSTRAINT endpoint_queue_6_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: endpoint_queue_7 endpoint_queue_7_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_queue_7
    ADD CONSTRAINT endpoint_queue_7_pkey PRIMARY KEY (endpoint_id, tenant_id);


--
-- Name: events events_connection_id_sequence_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_connection_id_sequence_key UNIQUE (connection_id, sequence);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);


--
-- Name: first_visits first_visits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.first_visits
    ADD CONSTRAINT first_visits_pkey PRIMARY KEY (connection_id);


--
-- Name: foreign_certificates foreign_certificates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.foreign_certificates
    ADD CONSTRAINT foreign_certificates_pkey PRIMARY KEY (connection_id, certificate);


--
-- Name: held_hostnames held_hostnames_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.held_hostnames
    ADD CONSTRAINT held_hostnames_pkey PRIMARY KEY (tenant_id, environment);


--
-- Name: host_changes host_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_changes
    ADD CONSTRAINT host_changes_pkey PRIMARY KEY (id);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, environment, route, actor, key);


--
-- Name: imported_certificates imported_certificates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imported_certificates
    ADD CONSTRAINT imported_certificates_pkey PRIMARY KEY (connection_id);


--
-- Name: issuance_budget issuance_budget_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issuance_budget
    ADD CONSTRAINT issuance_budget_pkey PRIMARY KEY (name);


--
-- Name: key_check key_check_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_check
    ADD CONSTRAINT key_check_pkey PRIMARY KEY (key_id);


--
-- Name: left_behind left_behind_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.left_behind
    ADD CONSTRAINT left_behind_pkey PRIMARY KEY (connection_id);


--
-- Name: local_ca local_ca_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.local_ca
    ADD CONSTRAINT local_ca_pkey PRIMARY KEY (id);


--
-- Name: members members_id_tenant_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_id_tenant_id_key UNIQUE (id, tenant_id);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);


--
-- Name: members members_tenant_id_email_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_tenant_id_email_key UNIQUE (tenant_id, email);


--
-- Name: oauth_grants oauth_grants_grant_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_grant_hash_key UNIQUE (grant_hash);


--
-- Name: oauth_grants oauth_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_pkey PRIMARY KEY (id);


--
-- Name: oauth_grants oauth_grants_state_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_state_hash_key UNIQUE (state_hash);


--
-- Name: origin_health origin_health_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.origin_health
    ADD CONSTRAINT origin_health_pkey PRIMARY KEY (connection_id);


--
-- Name: passkeys passkeys_credential_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);


--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);


--
-- Name: quota_waits quota_waits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_waits
    ADD CONSTRAINT quota_waits_pkey PRIMARY KEY (connection_id);


--
-- Name: rdap_bootstrap rdap_bootstrap_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rdap_bootstrap
    ADD CONSTRAINT rdap_bootstrap_pkey PRIMARY KEY (is_only);


--
-- Name: rdap_servers rdap_servers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rdap_servers
    ADD CONSTRAINT rdap_servers_pkey PRIMARY KEY (host);


--
-- Name: registered_names registered_names_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.registered_names
    ADD CONSTRAINT registered_names_pkey PRIMARY KEY (connection_id);


--
-- Name: registration_scan registration_scan_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.registration_scan
    ADD CONSTRAINT registration_scan_pkey PRIMARY KEY (is_only);


--
-- Name: registrations registrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.registrations
    ADD CONSTRAINT registrations_pkey PRIMARY KEY (domain);


--
-- Name: removal_links removal_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.removal_links
    ADD CONSTRAINT removal_links_pkey PRIMARY KEY (token_hash);


--
-- Name: sandbox_zones sandbox_zones_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandbox_zones
    ADD CONSTRAINT sandbox_zones_pkey PRIMARY KEY (zone);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);


--
-- Name: sending_domains sending_domains_connection_id_provider_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sending_domains
    ADD CONSTRAINT sending_domains_connection_id_provider_key UNIQUE (connection_id, provider);


--
-- Name: sending_domains sending_domains_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sending_domains
    ADD CONSTRAINT sending_domains_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);


--
-- Name: share_links share_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.share_links
    ADD CONSTRAINT share_links_pkey PRIMARY KEY (token_hash);


--
-- Name: sign_in_attempts sign_in_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (token_hash);


--
-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (token_hash);


--
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);


--
-- Name: status_links status_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_links
    ADD CONSTRAINT status_links_pkey PRIMARY KEY (id);


--
-- Name: status_links status_links_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_links
    ADD CONSTRAINT status_links_token_hash_key UNIQUE (token_hash);


--
-- Name: subscriptions subscriptions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (tenant_id);


--
-- Name: subscriptions subscriptions_stripe_subscription_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_stripe_subscription_key UNIQUE (stripe_subscription);


--
-- Name: targets targets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.targets
    ADD CONSTRAINT targets_pkey PRIMARY KEY (label);


--
-- Name: tenant_domains tenant_domains_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tenant_domains
    ADD CONSTRAINT tenant_domains_pkey PRIMARY KEY (tenant_id, domain);


--
-- Name: tenants tenants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);


--
-- Name: ticket_keys ticket_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ticket_keys
    ADD CONSTRAINT ticket_keys_pkey PRIMARY KEY (id);


--
-- Name: timeline timeline_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.timeline
    ADD CONSTRAINT timeline_pkey PRIMARY KEY (id);


--
-- Name: token_connections token_connections_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token_connections
    ADD CONSTRAINT token_connections_pkey PRIMARY KEY (token_id, connection_id);


--
-- Name: traffic_batches traffic_batches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_batches
    ADD CONSTRAINT traffic_batches_pkey PRIMARY KEY (process_id, minute, part);


--
-- Name: traffic_day_states traffic_day_states_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_day_states
    ADD CONSTRAINT traffic_day_states_pkey PRIMARY KEY (day);


--
-- Name: traffic_days traffic_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_days
    ADD CONSTRAINT traffic_days_pkey PRIMARY KEY (tenant_id, subject_id, day, edge_id);


--
-- Name: traffic_edges traffic_edges_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_edges
    ADD CONSTRAINT traffic_edges_name_key UNIQUE (name);


--
-- Name: traffic_edges traffic_edges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_edges
    ADD CONSTRAINT traffic_edges_pkey PRIMARY KEY (id);


--
-- Name: traffic_hours traffic_hours_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_hours
    ADD CONSTRAINT traffic_hours_pkey PRIMARY KEY (tenant_id, subject_id, hour, edge_id);


--
-- Name: traffic_processes traffic_processes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_processes
    ADD CONSTRAINT traffic_processes_pkey PRIMARY KEY (id);


--
-- Name: traffic_rankings traffic_rankings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_rankings
    ADD CONSTRAINT traffic_rankings_pkey PRIMARY KEY (hour);


--
-- Name: traffic_reports traffic_reports_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_reports
    ADD CONSTRAINT traffic_reports_pkey PRIMARY KEY (hour, process_id);


--
-- Name: traffic_tops traffic_tops_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.traffic_tops
    ADD CONSTRAINT traffic_tops_pkey PRIMARY KEY (tenant_id, environment, scope_id, step, sort, at, subject_id);


--
-- Name: transparency_logs transparency_logs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transparency_logs
    ADD CONSTRAINT transparency_logs_pkey PRIMARY KEY (id);


--
-- Name: troubles troubles_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.troubles
    ADD CONSTRAINT troubles_pkey PRIMARY KEY (connection_id, kind);


--
-- Name: usage_causes usage_causes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_causes
    ADD CONSTRAINT usage_causes_pkey PRIMARY KEY (kind, cause);


--
-- Name: usage_counters usage_counters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_counters
    ADD CONSTRAINT usage_counters_pkey PRIMARY KEY (tenant_id, environment, period, kind);


--
-- Name: validation_changes validation_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.validation_changes
    ADD CONSTRAINT validation_changes_pkey PRIMARY KEY (id);


--
-- Name: validation_values validation_values_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.validation_values
    ADD CONSTRAINT validation_values_pkey PRIMARY KEY (hostname, value);


--
-- Name: webhook_endpoints webhook_endpoints_format_check; Type: CHECK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'cloudflare'::text]))) NOT VALID;


--
-- Name: webhook_endpoints webhook_endpoints_masked; Type: CHECK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_masked CHECK (((sealed_url IS NULL) = (masked_url IS NULL))) NOT VALID;


--
-- Name: webhook_endpoints webhook_endpoints_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);


--
-- Name: zone_leases zone_leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.zone_leases
    ADD CONSTRAINT zone_leases_pkey PRIMARY KEY (provider, zone);


--
-- Name: zone_reads zone_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.zone_reads
    ADD CONSTRAINT zone_reads_pkey PRIMARY KEY (reader, zone);


--
-- Name: api_keys_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_page ON public.api_keys USING btree (application_id, created_at DESC, id DESC);


--
-- Name: applications_origins; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX applications_origins ON public.applications USING gin (allowed_origins);


--
-- Name: applications_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX applications_page ON public.applications USING btree (tenant_id, environment, created_at DESC, id DESC);


--
-- Name: archived_connections_archived; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_archived ON public.archived_connections USING btree (archived_at, id);


--
-- Name: archived_connections_by_application; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_by_application ON public.archived_connections USING btree (tenant_id, environment, application_id, created_at DESC, id DESC);


--
-- Name: archived_connections_by_batch; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_by_batch ON public.archived_connections USING btree (tenant_id, environment, batch_id, created_at DESC, id DESC) WHERE (batch_id IS NOT NULL);


--
-- Name: archived_connections_by_customer; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_by_customer ON public.archived_connections USING btree (tenant_id, environment, customer_ref, created_at DESC, id DESC) WHERE (customer_ref IS NOT NULL);


--
-- Name: archived_connections_by_error; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_by_error ON public.archived_connections USING btree (tenant_id, environment, error_code, created_at DESC, id DESC) WHERE (error_code IS NOT NULL);


--
-- Name: archived_connections_by_hostname; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_by_hostname ON public.archived_connections USING btree (hostname, created_at DESC, id DESC);


--
-- Name: archived_connections_by_provider; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_by_provider ON public.archived_connections USING btree (tenant_id, environment, provider, created_at DESC, id DESC);


--
-- Name: archived_connections_first_live; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_first_live ON public.archived_connections USING btree (tenant_id, environment, first_live_at) INCLUDE (created_at) WHERE (first_live_at IS NOT NULL);


--
-- Name: archived_connections_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_page ON public.archived_connections USING btree (tenant_id, environment, created_at DESC, id DESC);


--
-- Name: archived_connections_wildcard; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX archived_connections_wildcard ON public.archived_connections USING btree (tenant_id, environment, created_at DESC, id DESC) WHERE ("left"(hostname, 2) = '*.'::text);


--
-- Name: audit_log_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_age ON public.audit_log USING brin (at);


--
-- Name: audit_log_by_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (tenant_id, actor, at DESC, id DESC);


--
-- Name: audit_log_by_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_subject ON public.audit_log USING btree (tenant_id, subject, at DESC, id DESC);


--
-- Name: audit_log_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_page ON public.audit_log USING btree (tenant_id, at DESC, id DESC);


--
-- Name: certificate_keys_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificate_keys_age ON public.certificate_keys USING btree (created_at);


--
-- Name: certificates_alarm; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_alarm ON public.certificates USING btree (alarm_at) WHERE (alarm_at IS NOT NULL);


--
-- Name: certificates_alarmed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_alarmed ON public.certificates USING btree (alarmed_at) WHERE (alarmed_at IS NOT NULL);


--
-- Name: certificates_ari_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_ari_due ON public.certificates USING btree (ari_due_at) WHERE (ari_due_at IS NOT NULL);


--
-- Name: certificates_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_by_expiry ON public.certificates USING btree (tenant_id, environment, not_after) WHERE (not_after IS NOT NULL);


--
-- Name: certificates_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_due ON public.certificates USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: certificates_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_end ON public.certificates USING btree (not_after) WHERE (not_after IS NOT NULL);


--
-- Name: certificates_first_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_first_at ON public.certificates USING btree (due_at) WHERE ((chain IS NULL) AND (due_at IS NOT NULL));


--
-- Name: certificates_first_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_first_due ON public.certificates USING btree (tenant_id, due_at) WHERE ((chain IS NULL) AND (due_at IS NOT NULL));


--
-- Name: certificates_renewal_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_renewal_due ON public.certificates USING btree (due_at) WHERE ((chain IS NOT NULL) AND (due_at IS NOT NULL));


--
-- Name: certificates_unmarked_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_unmarked_end ON public.certificates USING btree (not_after) WHERE (status <> 'expired'::text);


--
-- Name: certificates_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_waiting ON public.certificates USING btree (waits_for, turn, hostname) WHERE (waits_for IS NOT NULL);


--
-- Name: certificates_without_alarm; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX certificates_without_alarm ON public.certificates USING btree (hostname) WHERE ((alarm_at IS NULL) AND (not_after IS NOT NULL));


--
-- Name: check_queues_turn; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX check_queues_turn ON public.check_queues USING btree (lane, turn_at);


--
-- Name: claims_by_wildcard; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX claims_by_wildcard ON public.claims USING btree ((('*'::text || substr(hostname, strpos(hostname, '.'::text))))) WHERE (hostname !~~ '*.%'::text);


--
-- Name: connection_checks_queue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_queue ON ONLY public.connection_checks USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_0_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_0_tenant_id_environment_lane_due_at_idx ON public.connection_checks_0 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_1_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_1_tenant_id_environment_lane_due_at_idx ON public.connection_checks_1 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_2_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_2_tenant_id_environment_lane_due_at_idx ON public.connection_checks_2 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_3_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_3_tenant_id_environment_lane_due_at_idx ON public.connection_checks_3 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_4_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_4_tenant_id_environment_lane_due_at_idx ON public.connection_checks_4 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_5_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_5_tenant_id_environment_lane_due_at_idx ON public.connection_checks_5 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_6_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_6_tenant_id_environment_lane_due_at_idx ON public.connection_checks_6 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_checks_7_tenant_id_environment_lane_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_checks_7_tenant_id_environment_lane_due_at_idx ON public.connection_checks_7 USING btree (tenant_id, environment, lane, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connection_search_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_search_page ON public.connection_search USING btree (tenant_id, environment, created_at DESC, connection_id DESC);


--
-- Name: connection_search_pairs; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_search_pairs ON public.connection_search USING gin (tenant_id, environment, public.text_pairs(text));


--
-- Name: connection_search_trigrams; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_search_trigrams ON public.connection_search USING gin (tenant_id, environment, text public.gin_trgm_ops);


--
-- Name: connections_archived; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_archived ON public.connections USING btree (archived_at) WHERE (state = 'archived'::text);


--
-- Name: connections_by_application; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_application ON public.connections USING btree (tenant_id, environment, application_id, created_at DESC, id DESC);


--
-- Name: connections_by_batch; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_batch ON public.connections USING btree (tenant_id, environment, batch_id, created_at DESC, id DESC) WHERE (batch_id IS NOT NULL);


--
-- Name: connections_by_customer; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_customer ON public.connections USING btree (tenant_id, environment, customer_ref, created_at DESC, id DESC) WHERE (customer_ref IS NOT NULL);


--
-- Name: connections_by_error; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_error ON public.connections USING btree (tenant_id, environment, error_code, created_at DESC, id DESC) WHERE (error_code IS NOT NULL);


--
-- Name: connections_by_finding; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_finding ON public.connections USING btree (tenant_id, environment) WHERE ((finding IS NOT NULL) AND (state <> 'archived'::text));


--
-- Name: connections_by_hostname; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_hostname ON public.connections USING btree (hostname, created_at DESC, id DESC);


--
-- Name: connections_by_provider; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_provider ON public.connections USING btree (tenant_id, environment, provider, created_at DESC, id DESC);


--
-- Name: connections_by_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_state ON public.connections USING btree (tenant_id, environment, state, created_at DESC, id DESC);


--
-- Name: connections_by_test_domain; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_by_test_domain ON public.connections USING btree (registrable_domain) WHERE (environment = 'test'::text);


--
-- Name: connections_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_due ON public.connections USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connections_first_live; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_first_live ON public.connections USING btree (tenant_id, environment, first_live_at) INCLUDE (created_at) WHERE (first_live_at IS NOT NULL);


--
-- Name: connections_in_progress; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_in_progress ON public.connections USING btree (state, phase_started_at) WHERE (state <> ALL (ARRAY['live'::text, 'archived'::text, 'failed'::text]));


--
-- Name: connections_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_page ON public.connections USING btree (tenant_id, environment, created_at DESC, id DESC);


--
-- Name: connections_parked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_parked ON public.connections USING btree (parked_at) WHERE ((parked_at IS NOT NULL) AND (due_at IS NULL));


--
-- Name: connections_queue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_queue ON public.connections USING btree (tenant_id, environment, public.check_lane(state, checks), due_at) WHERE (due_at IS NOT NULL);


--
-- Name: connections_redirecting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_redirecting ON public.connections USING btree (application_id, redirect_to) WHERE (redirect_to IS NOT NULL);


--
-- Name: connections_stuck; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_stuck ON public.connections USING btree (tenant_id, environment, COALESCE(state_since, phase_started_at), id) WHERE ((state <> 'archived'::text) AND ((state <> 'live'::text) OR (error_code IS NOT NULL)));


--
-- Name: connections_under_way; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_under_way ON public.connections USING btree (state, phase_started_at) WHERE (state <> ALL (ARRAY['live'::text, 'archived'::text, 'failed'::text]));


--
-- Name: connections_validation; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_validation ON public.connections USING btree (validation_label) WHERE (validation_label IS NOT NULL);


--
-- Name: connections_went_live; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_went_live ON public.connections USING btree (first_live_at) WHERE (first_live_at IS NOT NULL);


--
-- Name: connections_wildcard; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connections_wildcard ON public.connections USING btree (tenant_id, environment, created_at DESC, id DESC) WHERE ("left"(hostname, 2) = '*.'::text);


--
-- Name: contests_against; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX contests_against ON public.contests USING btree (holder_id) WHERE (ended_at IS NULL);


--
-- Name: contests_ended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX contests_ended ON public.contests USING btree (ended_at) WHERE (ended_at IS NOT NULL);


--
-- Name: contests_lost; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX contests_lost ON public.contests USING btree (hostname, tenant_id, environment, ended_at) WHERE (outcome = 'holder'::text);


--
-- Name: contests_open; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX contests_open ON public.contests USING btree (prover_id) WHERE (ended_at IS NULL);


--
-- Name: credentials_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX credentials_by_connection ON public.credentials USING gin (connection_ids) WHERE (connection_ids IS NOT NULL);


--
-- Name: credentials_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX credentials_page ON public.credentials USING btree (application_id, created_at DESC, id DESC);


--
-- Name: credentials_to_refresh; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX credentials_to_refresh ON public.credentials USING btree (refresh_at) WHERE (refresh_at IS NOT NULL);


--
-- Name: deliveries_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_age ON public.deliveries USING brin (created_at);


--
-- Name: deliveries_by_event; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_by_event ON public.deliveries USING btree (event_id);


--
-- Name: deliveries_by_tenant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_by_tenant ON public.deliveries USING btree (tenant_id, environment, created_at DESC, id DESC);


--
-- Name: deliveries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_due ON public.deliveries USING btree (endpoint_id, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: deliveries_leased; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_leased ON public.deliveries USING btree (tenant_id, leased_until, endpoint_id) WHERE (leased_until IS NOT NULL);


--
-- Name: deliveries_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_page ON public.deliveries USING btree (endpoint_id, created_at DESC, id DESC);


--
-- Name: deliveries_parked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_parked ON public.deliveries USING btree (parked_at) WHERE ((parked_at IS NOT NULL) AND (due_at IS NULL));


--
-- Name: deliveries_paused; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_paused ON public.deliveries USING btree (endpoint_id) WHERE ((due_at IS NULL) AND (status = ANY (ARRAY['pending'::text, 'failed'::text])));


--
-- Name: deliveries_test_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_test_due ON public.deliveries USING btree (endpoint_id, due_at) WHERE ((event_type = 'endpoint.test'::text) AND (due_at IS NOT NULL));


--
-- Name: deliveries_undelivered; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_undelivered ON public.deliveries USING btree (tenant_id, environment, status, created_at DESC, id DESC) WHERE (status <> 'delivered'::text);


--
-- Name: dns_writes_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX dns_writes_by_connection ON public.dns_writes USING btree (connection_id, created_at DESC, id DESC);


--
-- Name: dns_writes_recent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX dns_writes_recent ON public.dns_writes USING btree (created_at);


--
-- Name: domain_connect_attempts_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_connect_attempts_age ON public.domain_connect_attempts USING btree (expires_at);


--
-- Name: domain_connect_attempts_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_connect_attempts_by_connection ON public.domain_connect_attempts USING btree (connection_id, created_at DESC, id DESC);


--
-- Name: edges_by_last_seen; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX edges_by_last_seen ON public.edges USING btree (last_seen_at);


--
-- Name: endpoint_jobs_by_endpoint; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_jobs_by_endpoint ON public.endpoint_jobs USING btree (endpoint_id, kind, created_at DESC);


--
-- Name: endpoint_jobs_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_jobs_open ON public.endpoint_jobs USING btree (created_at) WHERE (finished_at IS NULL);


--
-- Name: endpoint_queue_turn; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_turn ON ONLY public.endpoint_queue USING btree (turn_at);


--
-- Name: endpoint_queue_0_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_0_turn_at_idx ON public.endpoint_queue_0 USING btree (turn_at);


--
-- Name: endpoint_queue_1_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_1_turn_at_idx ON public.endpoint_queue_1 USING btree (turn_at);


--
-- Name: endpoint_queue_2_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_2_turn_at_idx ON public.endpoint_queue_2 USING btree (turn_at);


--
-- Name: endpoint_queue_3_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_3_turn_at_idx ON public.endpoint_queue_3 USING btree (turn_at);


--
-- Name: endpoint_queue_4_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_4_turn_at_idx ON public.endpoint_queue_4 USING btree (turn_at);


--
-- Name: endpoint_queue_5_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_5_turn_at_idx ON public.endpoint_queue_5 USING btree (turn_at);


--
-- Name: endpoint_queue_6_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_6_turn_at_idx ON public.endpoint_queue_6 USING btree (turn_at);


--
-- Name: endpoint_queue_7_turn_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endpoint_queue_7_turn_at_idx ON public.endpoint_queue_7 USING btree (turn_at);


--
-- Name: events_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_age ON public.events USING brin (created_at);


--
-- Name: events_by_application; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_application ON public.events USING btree (application_id, created_at, id);


--
-- Name: events_by_customer; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_customer ON public.events USING btree (tenant_id, environment, customer_ref, created_at DESC, id DESC) WHERE (customer_ref IS NOT NULL);


--
-- Name: events_by_type; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_type ON public.events USING btree (tenant_id, environment, type, created_at DESC, id DESC);


--
-- Name: events_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_page ON public.events USING btree (tenant_id, environment, created_at DESC, id DESC);


--
-- Name: foreign_certificates_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX foreign_certificates_due ON public.foreign_certificates USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: foreign_certificates_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX foreign_certificates_end ON public.foreign_certificates USING btree (not_after);


--
-- Name: idempotency_keys_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);


--
-- Name: left_behind_dangling; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX left_behind_dangling ON public.left_behind USING btree (tenant_id, environment) WHERE (dangling_since IS NOT NULL);


--
-- Name: left_behind_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX left_behind_due ON public.left_behind USING btree (due_at);


--
-- Name: left_behind_tenant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX left_behind_tenant ON public.left_behind USING btree (tenant_id);


--
-- Name: members_by_email; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_by_email ON public.members USING btree (email);


--
-- Name: members_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_page ON public.members USING btree (tenant_id, created_at DESC, id DESC);


--
-- Name: oauth_grants_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_grants_age ON public.oauth_grants USING btree (expires_at);


--
-- Name: oauth_grants_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_grants_by_connection ON public.oauth_grants USING btree (connection_id);


--
-- Name: origin_health_failing; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX origin_health_failing ON public.origin_health USING btree (connection_id) WHERE (failing_since IS NOT NULL);


--
-- Name: passkeys_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkeys_by_member ON public.passkeys USING btree (member_id, created_at DESC, id DESC);


--
-- Name: quota_waits_by_tenant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quota_waits_by_tenant ON public.quota_waits USING btree (tenant_id, environment, since, connection_id);


--
-- Name: registered_names_by_domain; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX registered_names_by_domain ON public.registered_names USING btree (domain);


--
-- Name: registered_names_by_tenant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX registered_names_by_tenant ON public.registered_names USING btree (tenant_id, environment, domain);


--
-- Name: registrations_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX registrations_due ON public.registrations USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: registrations_ending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX registrations_ending ON public.registrations USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: removal_links_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX removal_links_by_connection ON public.removal_links USING btree (connection_id, created_at DESC);


--
-- Name: removal_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX removal_links_by_expiry ON public.removal_links USING btree (expires_at);


--
-- Name: sandbox_zones_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sandbox_zones_page ON public.sandbox_zones USING btree (tenant_id, created_at DESC, id DESC);


--
-- Name: sending_domains_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sending_domains_due ON public.sending_domains USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: sessions_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);


--
-- Name: sessions_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_member ON public.sessions USING btree (member_id);


--
-- Name: sessions_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_page ON public.sessions USING btree (tenant_id, created_at DESC, id DESC);


--
-- Name: share_links_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX share_links_by_connection ON public.share_links USING btree (connection_id, created_at DESC);


--
-- Name: share_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX share_links_by_expiry ON public.share_links USING btree (expires_at);


--
-- Name: sign_in_attempts_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_attempts_by_expiry ON public.sign_in_attempts USING btree (expires_at);


--
-- Name: sign_in_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_links_by_expiry ON public.sign_in_links USING btree (expires_at);


--
-- Name: sign_in_links_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_links_by_member ON public.sign_in_links USING btree (member_id) WHERE (member_id IS NOT NULL);


--
-- Name: status_links_by_application; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX status_links_by_application ON public.status_links USING btree (application_id);


--
-- Name: status_links_by_customer; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX status_links_by_customer ON public.status_links USING btree (tenant_id, environment, customer_ref, created_at DESC, id DESC);


--
-- Name: status_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX status_links_by_expiry ON public.status_links USING btree (expires_at);


--
-- Name: targets_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX targets_owner ON public.targets USING btree (hostname, application_id, customer_ref, created_at DESC);


--
-- Name: targets_tenant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX targets_tenant ON public.targets USING btree (tenant_id);


--
-- Name: tenant_domains_by_domain; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tenant_domains_by_domain ON public.tenant_domains USING btree (domain);


--
-- Name: tenants_deleted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tenants_deleted ON public.tenants USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: timeline_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX timeline_age ON public.timeline USING brin (created_at);


--
-- Name: timeline_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX timeline_page ON public.timeline USING btree (connection_id, created_at DESC, id DESC);


--
-- Name: token_connections_by_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_connections_by_connection ON public.token_connections USING btree (connection_id);


--
-- Name: token_connections_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_connections_by_expiry ON public.token_connections USING btree (expires_at);


--
-- Name: traffic_batches_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX traffic_batches_age ON public.traffic_batches USING brin (minute);


--
-- Name: traffic_hours_by_hour; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX traffic_hours_by_hour ON ONLY public.traffic_hours USING brin (hour) WITH (autosummarize='on');


--
-- Name: traffic_tops_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX traffic_tops_at ON public.traffic_tops USING btree (at);


--
-- Name: usage_causes_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_causes_age ON public.usage_causes USING brin (at);


--
-- Name: usage_causes_by_tenant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_causes_by_tenant ON public.usage_causes USING btree (tenant_id);


--
-- Name: validation_values_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX validation_values_expiry ON public.validation_values USING btree (expires_at);


--
-- Name: validation_values_label; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX validation_values_label ON public.validation_values USING btree (label);


--
-- Name: webhook_endpoints_active; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_endpoints_active ON public.webhook_endpoints USING btree (application_id) WHERE active;


--
-- Name: webhook_endpoints_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_endpoints_page ON public.webhook_endpoints USING btree (tenant_id, environment, created_at DESC, id DESC);


--
-- Name: zone_reads_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX zone_reads_age ON public.zone_reads USING btree (read_at);


--
-- Name: connection_checks_0_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_0_pkey;


--
-- Name: connection_checks_0_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_0_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_1_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_1_pkey;


--
-- Name: connection_checks_1_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_1_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_2_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_2_pkey;


--
-- Name: connection_checks_2_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_2_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_3_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_3_pkey;


--
-- Name: connection_checks_3_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_3_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_4_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_4_pkey;


--
-- Name: connection_checks_4_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_4_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_5_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_5_pkey;


--
-- Name: connection_checks_5_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_5_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_6_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_6_pkey;


--
-- Name: connection_checks_6_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_6_tenant_id_environment_lane_due_at_idx;


--
-- Name: connection_checks_7_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_pkey ATTACH PARTITION public.connection_checks_7_pkey;


--
-- Name: connection_checks_7_tenant_id_environment_lane_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.connection_checks_queue ATTACH PARTITION public.connection_checks_7_tenant_id_environment_lane_due_at_idx;


--
-- Name: endpoint_queue_0_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_0_pkey;


--
-- Name: endpoint_queue_0_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_0_turn_at_idx;


--
-- Name: endpoint_queue_1_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_1_pkey;


--
-- Name: endpoint_queue_1_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_1_turn_at_idx;


--
-- Name: endpoint_queue_2_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_2_pkey;


--
-- Name: endpoint_queue_2_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_2_turn_at_idx;


--
-- Name: endpoint_queue_3_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_3_pkey;


--
-- Name: endpoint_queue_3_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_3_turn_at_idx;


--
-- Name: endpoint_queue_4_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_4_pkey;


--
-- Name: endpoint_queue_4_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_4_turn_at_idx;


--
-- Name: endpoint_queue_5_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_5_pkey;


--
-- Name: endpoint_queue_5_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_5_turn_at_idx;


--
-- Name: endpoint_queue_6_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_6_pkey;


--
-- Name: endpoint_queue_6_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_6_turn_at_idx;


--
-- Name: endpoint_queue_7_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_pkey ATTACH PARTITION public.endpoint_queue_7_pkey;


--
-- Name: endpoint_queue_7_turn_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.endpoint_queue_turn ATTACH PARTITION public.endpoint_queue_7_turn_at_idx;


--
-- Name: certificates certificate_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER certificate_change AFTER UPDATE OF epoch, chain, sealed_key, not_after ON public.certificates FOR EACH ROW WHEN ((((((old.epoch IS DISTINCT FROM new.epoch) OR (old.chain IS DISTINCT FROM new.chain)) OR (old.sealed_key IS DISTINCT FROM new.sealed_key)) OR (old.not_after IS DISTINCT FROM new.not_after)) AND ((old.chain IS NOT NULL) OR (new.chain IS NOT NULL)))) EXECUTE FUNCTION public.note_certificate_change();


--
-- Name: certificates certificate_dropped; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER certificate_dropped AFTER DELETE ON public.certificates FOR EACH ROW WHEN ((old.chain IS NOT NULL)) EXECUTE FUNCTION public.note_certificate_change();


--
-- Name: certificates certificate_stored; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER certificate_stored AFTER INSERT ON public.certificates FOR EACH ROW WHEN ((new.chain IS NOT NULL)) EXECUTE FUNCTION public.note_certificate_change();


--
-- Name: certificates certificates_alarm_set; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER certificates_alarm_set BEFORE INSERT OR UPDATE OF not_before, not_after ON public.certificates FOR EACH ROW EXECUTE FUNCTION public.set_alarm();


--
-- Name: connection_checks connection_checks_queued; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER connection_checks_queued AFTER INSERT ON public.connection_checks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.due_at IS NOT NULL)) EXECUTE FUNCTION public.bring_turn_forward();


--
-- Name: connection_checks connection_checks_requeued; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER connection_checks_requeued AFTER UPDATE OF due_at, lane ON public.connection_checks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.due_at IS NOT NULL) AND ((old.due_at IS NULL) OR (new.due_at < old.due_at) OR (new.lane <> old.lane)))) EXECUTE FUNCTION public.bring_turn_forward();


--
-- Name: connections connection_search; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER connection_search AFTER INSERT ON public.connections FOR EACH ROW EXECUTE FUNCTION public.note_connection_search();


--
-- Name: connections connection_search_customer; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER connection_search_customer AFTER UPDATE OF customer_ref ON public.connections FOR EACH ROW WHEN ((old.customer_ref IS DISTINCT FROM new.customer_ref)) EXECUTE FUNCTION public.note_connection_search();


--
-- Name: connections connections_check_inserted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER connections_check_inserted AFTER INSERT ON public.connections FOR EACH ROW WHEN ((new.due_at IS NOT NULL)) EXECUTE FUNCTION public.queue_check();


--
-- Name: connections connections_check_written; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER connections_check_written AFTER UPDATE OF due_at ON public.connections FOR EACH ROW EXECUTE FUNCTION public.queue_check();


--
-- Name: connections connections_lease; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER connections_lease BEFORE UPDATE OF leased_until ON public.connections FOR EACH ROW WHEN (((new.leased_until IS NOT NULL) AND (new.version > old.version))) EXECUTE FUNCTION public.refuse_lease();


--
-- Name: connections customer_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER customer_change AFTER UPDATE OF customer_ref ON public.connections FOR EACH ROW WHEN ((old.customer_ref IS DISTINCT FROM new.customer_ref)) EXECUTE FUNCTION public.note_host_change();


--
-- Name: deliveries deliveries_queued; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER deliveries_queued AFTER INSERT ON public.deliveries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.due_at IS NOT NULL)) EXECUTE FUNCTION public.queue_delivery();


--
-- Name: deliveries deliveries_requeued; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER deliveries_requeued AFTER UPDATE OF due_at ON public.deliveries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.due_at IS NOT NULL) AND ((old.due_at IS NULL) OR (new.due_at < old.due_at)))) EXECUTE FUNCTION public.queue_delivery();


--
-- Name: edges edges_seen; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER edges_seen AFTER INSERT OR UPDATE ON public.edges FOR EACH ROW EXECUTE FUNCTION public.note_edge_process();


--
-- Name: claims host_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER host_change AFTER INSERT OR DELETE ON public.claims FOR EACH ROW EXECUTE FUNCTION public.note_host_change();


--
-- Name: applications origin_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER origin_change AFTER UPDATE OF origin_url, origin_host_header, edge, origins, origin_tls, sealed_client_key ON public.applications FOR EACH ROW WHEN (((old.origin_url IS DISTINCT FROM new.origin_url) OR (old.origin_host_header IS DISTINCT FROM new.origin_host_header) OR (old.edge IS DISTINCT FROM new.edge) OR (old.origins IS DISTINCT FROM new.origins) OR (old.origin_tls IS DISTINCT FROM new.origin_tls) OR (old.sealed_client_key IS DISTINCT FROM new.sealed_client_key))) EXECUTE FUNCTION public.note_origin_change();


--
-- Name: connections rules_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rules_change AFTER UPDATE OF edge ON public.connections FOR EACH ROW WHEN ((old.edge IS DISTINCT FROM new.edge)) EXECUTE FUNCTION public.note_host_change();


--
-- Name: connections settings_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER settings_change AFTER UPDATE OF redirect_to, origin_url, origin_host_header ON public.connections FOR EACH ROW WHEN (((old.redirect_to IS DISTINCT FROM new.redirect_to) OR (old.origin_url IS DISTINCT FROM new.origin_url) OR (old.origin_host_header IS DISTINCT FROM new.origin_host_header))) EXECUTE FUNCTION public.note_host_change();


--
-- Name: connections target_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER target_change AFTER UPDATE OF state ON public.connections FOR EACH ROW WHEN (((old.state = ANY (ARRAY['live'::text, 'drifted'::text])) <> (new.state = ANY (ARRAY['live'::text, 'drifted'::text])))) EXECUTE FUNCTION public.note_target_change();


--
-- Name: tenants tenant_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER tenant_change AFTER UPDATE OF suspended_at, deleted_at ON public.tenants FOR EACH ROW WHEN ((public.is_suspended(old.*) <> public.is_suspended(new.*))) EXECUTE FUNCTION public.note_tenant_change();


--
-- Name: claims validation_claim; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER validation_claim AFTER INSERT OR DELETE ON public.claims FOR EACH ROW EXECUTE FUNCTION public.note_validation_claim();


--
-- Name: connections validation_name; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER validation_name AFTER UPDATE OF validation_label ON public.connections FOR EACH ROW WHEN ((old.validation_label IS DISTINCT FROM new.validation_label)) EXECUTE FUNCTION public.note_validation_name();


--
-- Name: validation_values validation_value; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER validation_value AFTER INSERT OR DELETE OR UPDATE ON public.validation_values FOR EACH ROW EXECUTE FUNCTION public.note_validation_value();


--
-- Name: webhook_endpoints webhook_endpoints_queued; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER webhook_endpoints_queued AFTER UPDATE OF active ON public.webhook_endpoints DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.active AND (NOT old.active))) EXECUTE FUNCTION public.queue_endpoint();


--
-- Name: api_keys api_keys_application_id_tenant_id_environment_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_application_id_tenant_id_environment_fkey FOREIGN KEY (application_id, tenant_id, environment) REFERENCES public.applications(id, tenant_id, environment);


--
-- Name: applications applications_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: archived_connections archived_connections_application_id_tenant_id_environment_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.archived_connections
    ADD CONSTRAINT archived_connections_application_id_tenant_id_environment_fkey FOREIGN KEY (application_id, tenant_id, environment) REFERENCES public.applications(id, tenant_id, environment);


--
-- Name: check_queues check_queues_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.check_queues
    ADD CONSTRAINT check_queues_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: claims claims_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: connection_checks connection_checks_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks
    ADD CONSTRAINT connection_checks_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id) ON DELETE CASCADE;


--
-- Name: connection_days connection_days_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_days
    ADD CONSTRAINT connection_days_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: connections connections_application_id_tenant_id_environment_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_application_id_tenant_id_environment_fkey FOREIGN KEY (application_id, tenant_id, environment) REFERENCES public.applications(id, tenant_id, environment);


--
-- Name: credentials credentials_application_id_tenant_id_environment_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_application_id_tenant_id_environment_fkey FOREIGN KEY (application_id, tenant_id, environment) REFERENCES public.applications(id, tenant_id, environment);


--
-- Name: deliveries deliveries_endpoint_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;


--
-- Name: deliveries deliveries_event_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id);


--
-- Name: drop_in_fields drop_in_fields_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.drop_in_fields
    ADD CONSTRAINT drop_in_fields_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id) ON DELETE CASCADE;


--
-- Name: endpoint_jobs endpoint_jobs_endpoint_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endpoint_jobs
    ADD CONSTRAINT endpoint_jobs_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;


--
-- Name: endpoint_queue endpoint_queue_endpoint_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue
    ADD CONSTRAINT endpoint_queue_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;


--
-- Name: foreign_certificates foreign_certificates_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.foreign_certificates
    ADD CONSTRAINT foreign_certificates_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: held_hostnames held_hostnames_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.held_hostnames
    ADD CONSTRAINT held_hostnames_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: idempotency_keys idempotency_keys_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: imported_certificates imported_certificates_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imported_certificates
    ADD CONSTRAINT imported_certificates_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: left_behind left_behind_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.left_behind
    ADD CONSTRAINT left_behind_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: members members_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: oauth_grants oauth_grants_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: origin_health origin_health_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.origin_health
    ADD CONSTRAINT origin_health_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: passkeys passkeys_member_id_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_member_id_tenant_id_fkey FOREIGN KEY (member_id, tenant_id) REFERENCES public.members(id, tenant_id) ON DELETE CASCADE;


--
-- Name: quota_waits quota_waits_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_waits
    ADD CONSTRAINT quota_waits_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.claims(connection_id) ON DELETE CASCADE;


--
-- Name: quota_waits quota_waits_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_waits
    ADD CONSTRAINT quota_waits_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: sandbox_zones sandbox_zones_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandbox_zones
    ADD CONSTRAINT sandbox_zones_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: sessions sessions_member_id_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_member_id_tenant_id_fkey FOREIGN KEY (member_id, tenant_id) REFERENCES public.members(id, tenant_id) ON DELETE CASCADE;


--
-- Name: sessions sessions_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: share_links share_links_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.share_links
    ADD CONSTRAINT share_links_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: sign_in_links sign_in_links_member_id_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_member_id_tenant_id_fkey FOREIGN KEY (member_id, tenant_id) REFERENCES public.members(id, tenant_id) ON DELETE CASCADE;


--
-- Name: sign_in_links sign_in_links_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: status_links status_links_application_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_links
    ADD CONSTRAINT status_links_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id);


--
-- Name: subscriptions subscriptions_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: targets targets_application_id_tenant_id_environment_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.targets
    ADD CONSTRAINT targets_application_id_tenant_id_environment_fkey FOREIGN KEY (application_id, tenant_id, environment) REFERENCES public.applications(id, tenant_id, environment);


--
-- Name: tenant_domains tenant_domains_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tenant_domains
    ADD CONSTRAINT tenant_domains_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: token_connections token_connections_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token_connections
    ADD CONSTRAINT token_connections_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: troubles troubles_connection_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.troubles
    ADD CONSTRAINT troubles_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.connections(id);


--
-- Name: usage_causes usage_causes_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_causes
    ADD CONSTRAINT usage_causes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: usage_counters usage_counters_tenant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_counters
    ADD CONSTRAINT usage_counters_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);


--
-- Name: validation_values validation_values_hostname_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.validation_values
    ADD CONSTRAINT validation_values_hostname_fkey FOREIGN KEY (hostname) REFERENCES public.claims(hostname) ON DELETE CASCADE;


--
-- Name: webhook_endpoints webhook_endpoints_application_id_tenant_id_environment_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_application_id_tenant_id_environment_fkey FOREIGN KEY (application_id, tenant_id, environment) REFERENCES public.applications(id, tenant_id, environment);


--
-- Name: certificate_keys api; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api ON public.certificate_keys TO mooring_api USING (true) WITH CHECK (true);


--
-- Name: api_keys; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: signing_keys api_makes; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_makes ON public.signing_keys FOR INSERT TO mooring_api WITH CHECK ((purpose = 'widget'::text));


--
-- Name: signing_keys api_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_reads ON public.signing_keys FOR SELECT TO mooring_api USING (true);


--
-- Name: signing_keys api_retires; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_retires ON public.signing_keys FOR UPDATE TO mooring_api USING ((purpose = 'widget'::text)) WITH CHECK ((purpose = 'widget'::text));


--
-- Name: applications; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.applications ENABLE ROW LEVEL SECURITY;

--
-- Name: archived_connections; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.archived_connections ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_log; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

--
-- Name: certificate_changes; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.certificate_changes ENABLE ROW LEVEL SECURITY;

--
-- Name: certificate_keys; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.certificate_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: certificates; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.certificates ENABLE ROW LEVEL SECURITY;

--
-- Name: check_queues; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.check_queues ENABLE ROW LEVEL SECURITY;

--
-- Name: claims; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.claims ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_0; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_0 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_1; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_1 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_2; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_2 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_3; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_3 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_4; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_4 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_5; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_5 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_6; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_6 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_checks_7; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_checks_7 ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_days; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_days ENABLE ROW LEVEL SECURITY;

--
-- Name: connection_search; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connection_search ENABLE ROW LEVEL SECURITY;

--
-- Name: connections; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.connections ENABLE ROW LEVEL SECURITY;

--
-- Name: contests; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.contests ENABLE ROW LEVEL SECURITY;

--
-- Name: credentials; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.credentials ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.api_keys FOR SELECT TO mooring_definer USING (true);


--
-- Name: applications definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.applications FOR SELECT TO mooring_definer USING (true);


--
-- Name: archived_connections definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.archived_connections FOR SELECT TO mooring_definer USING (true);


--
-- Name: audit_log definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.audit_log FOR SELECT TO mooring_definer USING (true);


--
-- Name: certificate_changes definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.certificate_changes FOR INSERT TO mooring_definer WITH CHECK (true);


--
-- Name: certificates definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.certificates FOR SELECT TO mooring_definer USING (true);


--
-- Name: check_queues definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.check_queues TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: claims definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.claims FOR SELECT TO mooring_definer USING (true);


--
-- Name: connection_checks definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.connection_checks TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: connection_search definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.connection_search TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: connections definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.connections FOR SELECT TO mooring_definer USING (true);


--
-- Name: credentials definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.credentials FOR SELECT TO mooring_definer USING (true);


--
-- Name: deliveries definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.deliveries TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: endpoint_jobs definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.endpoint_jobs TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: endpoint_queue definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.endpoint_queue TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: events definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.events FOR SELECT TO mooring_definer USING (true);


--
-- Name: first_visits definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.first_visits TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: held_hostnames definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.held_hostnames FOR SELECT TO mooring_definer USING (true);


--
-- Name: host_changes definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.host_changes FOR INSERT TO mooring_definer WITH CHECK (true);


--
-- Name: idempotency_keys definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.idempotency_keys FOR SELECT TO mooring_definer USING (true);


--
-- Name: left_behind definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.left_behind FOR SELECT TO mooring_definer USING (true);


--
-- Name: members definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.members TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: passkeys definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.passkeys TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: quota_waits definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.quota_waits FOR SELECT TO mooring_definer USING (true);


--
-- Name: registrations definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.registrations FOR SELECT TO mooring_definer USING (true);


--
-- Name: removal_links definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.removal_links FOR SELECT TO mooring_definer USING (true);


--
-- Name: sandbox_zones definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.sandbox_zones FOR SELECT TO mooring_definer USING (true);


--
-- Name: sessions definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.sessions TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: share_links definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.share_links FOR SELECT TO mooring_definer USING (true);


--
-- Name: sign_in_links definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.sign_in_links TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: status_links definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.status_links FOR SELECT TO mooring_definer USING (true);


--
-- Name: subscriptions definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.subscriptions FOR SELECT TO mooring_definer USING (true);


--
-- Name: tenant_domains definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.tenant_domains TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: tenants definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.tenants FOR SELECT TO mooring_definer USING (true);


--
-- Name: timeline definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.timeline FOR SELECT TO mooring_definer USING (true);


--
-- Name: traffic_days definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.traffic_days TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: traffic_hours definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.traffic_hours TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: usage_causes definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.usage_causes FOR SELECT TO mooring_definer USING (true);


--
-- Name: usage_counters definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.usage_counters FOR SELECT TO mooring_definer USING (true);


--
-- Name: webhook_endpoints definer; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer ON public.webhook_endpoints TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: subscriptions definer_billing; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer_billing ON public.subscriptions TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: usage_counters definer_meter; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer_meter ON public.usage_counters TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: tenants definer_plan; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer_plan ON public.tenants FOR UPDATE TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: connections definer_recheck; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer_recheck ON public.connections FOR UPDATE TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: api_keys definer_touch; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY definer_touch ON public.api_keys FOR UPDATE TO mooring_definer USING (true) WITH CHECK (true);


--
-- Name: deliveries; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.deliveries ENABLE ROW LEVEL SECURITY;

--
-- Name: dns_writes; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.dns_writes ENABLE ROW LEVEL SECURITY;

--
-- Name: domain_connect_attempts; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.domain_connect_attempts ENABLE ROW LEVEL SECURITY;

--
-- Name: domain_connect_grants; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.domain_connect_grants ENABLE ROW LEVEL SECURITY;

--
-- Name: drop_in_fields; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.drop_in_fields ENABLE ROW LEVEL SECURITY;

--
-- Name: certificate_changes edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.certificate_changes FOR SELECT TO mooring_edge USING (true);


--
-- Name: certificate_keys edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.certificate_keys TO mooring_edge USING (true) WITH CHECK (true);


--
-- Name: certificates edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.certificates TO mooring_edge USING (true) WITH CHECK (true);


--
-- Name: host_changes edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.host_changes FOR SELECT TO mooring_edge USING (true);


--
-- Name: origin_health edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.origin_health TO mooring_edge USING (true) WITH CHECK (true);


--
-- Name: ticket_keys edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.ticket_keys TO mooring_edge USING (true) WITH CHECK (true);


--
-- Name: troubles edge; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge ON public.troubles FOR SELECT TO mooring_edge USING (true);


--
-- Name: signing_keys edge_makes; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge_makes ON public.signing_keys FOR INSERT TO mooring_edge WITH CHECK ((purpose = 'assertion'::text));


--
-- Name: signing_keys edge_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY edge_reads ON public.signing_keys FOR SELECT TO mooring_edge USING ((purpose = 'assertion'::text));


--
-- Name: email_setups; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.email_setups ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_jobs; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_jobs ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_0; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_0 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_1; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_1 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_2; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_2 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_3; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_3 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_4; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_4 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_5; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_5 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_6; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_6 ENABLE ROW LEVEL SECURITY;

--
-- Name: endpoint_queue_7; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.endpoint_queue_7 ENABLE ROW LEVEL SECURITY;

--
-- Name: events; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;

--
-- Name: first_visits; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.first_visits ENABLE ROW LEVEL SECURITY;

--
-- Name: foreign_certificates; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.foreign_certificates ENABLE ROW LEVEL SECURITY;

--
-- Name: held_hostnames; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.held_hostnames ENABLE ROW LEVEL SECURITY;

--
-- Name: host_changes; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.host_changes ENABLE ROW LEVEL SECURITY;

--
-- Name: idempotency_keys; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: imported_certificates; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.imported_certificates ENABLE ROW LEVEL SECURITY;

--
-- Name: left_behind; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.left_behind ENABLE ROW LEVEL SECURITY;

--
-- Name: members; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.members ENABLE ROW LEVEL SECURITY;

--
-- Name: oauth_grants; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.oauth_grants ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.api_keys TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: applications operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.applications TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: archived_connections operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.archived_connections TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: audit_log operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.audit_log TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: certificate_changes operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.certificate_changes TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: certificate_keys operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.certificate_keys TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: certificates operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.certificates TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: check_queues operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.check_queues TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: claims operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.claims TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: connection_checks operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.connection_checks TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: connection_days operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.connection_days TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: connection_search operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.connection_search TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: connections operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.connections TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: contests operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.contests TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: credentials operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.credentials TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: deliveries operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.deliveries TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: dns_writes operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.dns_writes TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: domain_connect_attempts operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.domain_connect_attempts TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: domain_connect_grants operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.domain_connect_grants TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: drop_in_fields operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.drop_in_fields TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: email_setups operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.email_setups TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: endpoint_jobs operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.endpoint_jobs TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: endpoint_queue operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.endpoint_queue TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: events operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.events TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: first_visits operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.first_visits TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: foreign_certificates operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.foreign_certificates TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: held_hostnames operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.held_hostnames TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: host_changes operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.host_changes TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: idempotency_keys operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.idempotency_keys TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: imported_certificates operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.imported_certificates TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: left_behind operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.left_behind TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: members operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.members TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: oauth_grants operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.oauth_grants TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: origin_health operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.origin_health TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: passkeys operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.passkeys TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: quota_waits operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.quota_waits TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: registered_names operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.registered_names TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: registrations operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.registrations TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: removal_links operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.removal_links TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: sandbox_zones operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.sandbox_zones TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: sending_domains operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.sending_domains TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: sessions operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.sessions TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: share_links operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.share_links TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: sign_in_links operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.sign_in_links TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: signing_keys operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.signing_keys TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: status_links operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.status_links TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: subscriptions operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.subscriptions TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: targets operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.targets TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: tenant_domains operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.tenant_domains TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: tenants operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.tenants TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: ticket_keys operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.ticket_keys TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: timeline operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.timeline TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: token_connections operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.token_connections TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: traffic_days operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.traffic_days TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: traffic_hours operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.traffic_hours TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: traffic_tops operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.traffic_tops TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: transparency_logs operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.transparency_logs TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: troubles operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.troubles TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: usage_causes operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.usage_causes TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: usage_counters operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.usage_counters TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: webhook_endpoints operator; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator ON public.webhook_endpoints TO mooring_operator USING (true) WITH CHECK (true);


--
-- Name: origin_health; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.origin_health ENABLE ROW LEVEL SECURITY;

--
-- Name: tenants own_tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY own_tenant ON public.tenants FOR SELECT TO mooring_api USING ((id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: passkeys; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.passkeys ENABLE ROW LEVEL SECURITY;

--
-- Name: quota_waits; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.quota_waits ENABLE ROW LEVEL SECURITY;

--
-- Name: registered_names; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.registered_names ENABLE ROW LEVEL SECURITY;

--
-- Name: registrations; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.registrations ENABLE ROW LEVEL SECURITY;

--
-- Name: removal_links; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.removal_links ENABLE ROW LEVEL SECURITY;

--
-- Name: sandbox_zones; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.sandbox_zones ENABLE ROW LEVEL SECURITY;

--
-- Name: sending_domains; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.sending_domains ENABLE ROW LEVEL SECURITY;

--
-- Name: sessions; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;

--
-- Name: share_links; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.share_links ENABLE ROW LEVEL SECURITY;

--
-- Name: sign_in_links; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.sign_in_links ENABLE ROW LEVEL SECURITY;

--
-- Name: signing_keys; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.signing_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: status_links; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.status_links ENABLE ROW LEVEL SECURITY;

--
-- Name: subscriptions; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.subscriptions ENABLE ROW LEVEL SECURITY;

--
-- Name: targets; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.targets ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.api_keys TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: applications tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.applications TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)) AND (deleted_at IS NULL))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: archived_connections tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.archived_connections FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: audit_log tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.audit_log TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: certificates tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.certificates TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: claims tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.claims TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: connection_checks tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.connection_checks TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: connection_days tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.connection_days TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: connection_search tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.connection_search FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: connections tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.connections TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: contests tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.contests FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: credentials tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.credentials TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: deliveries tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.deliveries TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: dns_writes tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.dns_writes TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: domain_connect_attempts tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.domain_connect_attempts TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: domain_connect_grants tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.domain_connect_grants TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: drop_in_fields tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.drop_in_fields TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: email_setups tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.email_setups TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: endpoint_jobs tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.endpoint_jobs TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: events tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.events TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: first_visits tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.first_visits FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: foreign_certificates tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.foreign_certificates FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: held_hostnames tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.held_hostnames TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: idempotency_keys tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.idempotency_keys TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: imported_certificates tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.imported_certificates TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: left_behind tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.left_behind TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: members tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.members TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: oauth_grants tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.oauth_grants TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: passkeys tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.passkeys TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: quota_waits tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.quota_waits TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: registered_names tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.registered_names FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: registrations tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.registrations FOR SELECT TO mooring_api USING ((EXISTS ( SELECT
   FROM public.registered_names n
  WHERE (n.domain = registrations.domain))));


--
-- Name: removal_links tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.removal_links TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: sandbox_zones tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.sandbox_zones TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (( SELECT public.app_environment() AS app_environment) = 'test'::text))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (( SELECT public.app_environment() AS app_environment) = 'test'::text)));


--
-- Name: sending_domains tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.sending_domains TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: sessions tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.sessions TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: share_links tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.share_links TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: sign_in_links tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.sign_in_links TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: status_links tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.status_links TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: subscriptions tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.subscriptions TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: targets tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.targets TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: tenant_domains tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.tenant_domains TO mooring_api USING ((tenant_id = ( SELECT public.app_tenant() AS app_tenant))) WITH CHECK ((tenant_id = ( SELECT public.app_tenant() AS app_tenant)));


--
-- Name: timeline tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.timeline TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: token_connections tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.token_connections TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: traffic_days tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.traffic_days FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: traffic_hours tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.traffic_hours FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: traffic_tops tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.traffic_tops FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: troubles tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.troubles FOR SELECT TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: usage_causes tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.usage_causes TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: usage_counters tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.usage_counters TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: webhook_endpoints tenant; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY tenant ON public.webhook_endpoints TO mooring_api USING (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment)) AND (deleted_at IS NULL))) WITH CHECK (((tenant_id = ( SELECT public.app_tenant() AS app_tenant)) AND (environment = ( SELECT public.app_environment() AS app_environment))));


--
-- Name: tenant_domains; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.tenant_domains ENABLE ROW LEVEL SECURITY;

--
-- Name: tenants; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.tenants ENABLE ROW LEVEL SECURITY;

--
-- Name: ticket_keys; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.ticket_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: timeline; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.timeline ENABLE ROW LEVEL SECURITY;

--
-- Name: token_connections; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.token_connections ENABLE ROW LEVEL SECURITY;

--
-- Name: traffic_days; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.traffic_days ENABLE ROW LEVEL SECURITY;

--
-- Name: traffic_hours; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.traffic_hours ENABLE ROW LEVEL SECURITY;

--
-- Name: traffic_tops; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.traffic_tops ENABLE ROW LEVEL SECURITY;

--
-- Name: transparency_logs; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.transparency_logs ENABLE ROW LEVEL SECURITY;

--
-- Name: troubles; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.troubles ENABLE ROW LEVEL SECURITY;

--
-- Name: usage_causes; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.usage_causes ENABLE ROW LEVEL SECURITY;

--
-- Name: usage_counters; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.usage_counters ENABLE ROW LEVEL SECURITY;

--
-- Name: webhook_endpoints; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.webhook_endpoints ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.api_keys TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: applications worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.applications TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: archived_connections worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.archived_connections TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: audit_log worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.audit_log TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: certificate_changes worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.certificate_changes TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: certificate_keys worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.certificate_keys TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: certificates worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.certificates TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: check_queues worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.check_queues TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: claims worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.claims TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: connection_checks worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.connection_checks TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: connection_days worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.connection_days TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: connection_search worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.connection_search TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: connections worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.connections TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: contests worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.contests TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: credentials worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.credentials TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: deliveries worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.deliveries TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: dns_writes worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.dns_writes TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: domain_connect_attempts worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.domain_connect_attempts TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: domain_connect_grants worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.domain_connect_grants TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: drop_in_fields worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.drop_in_fields TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: email_setups worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.email_setups TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: endpoint_jobs worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.endpoint_jobs TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: endpoint_queue worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.endpoint_queue TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: events worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.events TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: first_visits worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.first_visits TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: foreign_certificates worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.foreign_certificates TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: held_hostnames worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.held_hostnames TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: host_changes worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.host_changes TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: idempotency_keys worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.idempotency_keys TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: imported_certificates worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.imported_certificates TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: left_behind worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.left_behind TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: members worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.members TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: oauth_grants worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.oauth_grants TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: origin_health worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.origin_health TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: passkeys worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.passkeys TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: quota_waits worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.quota_waits TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: registered_names worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.registered_names TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: registrations worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.registrations TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: removal_links worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.removal_links TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: sandbox_zones worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.sandbox_zones TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: sending_domains worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.sending_domains TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: sessions worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.sessions TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: share_links worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.share_links TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: sign_in_links worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.sign_in_links TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: signing_keys worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.signing_keys FOR SELECT TO mooring_worker USING (true);


--
-- Name: status_links worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.status_links TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: subscriptions worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.subscriptions TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: targets worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.targets TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: tenant_domains worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.tenant_domains TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: tenants worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.tenants FOR SELECT TO mooring_worker USING (true);


--
-- Name: timeline worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.timeline TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: token_connections worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.token_connections TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: traffic_days worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.traffic_days TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: traffic_hours worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.traffic_hours TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: traffic_tops worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.traffic_tops TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: transparency_logs worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.transparency_logs TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: troubles worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.troubles TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: usage_causes worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.usage_causes TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: usage_counters worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.usage_counters TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: webhook_endpoints worker; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker ON public.webhook_endpoints TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: tenants worker_plan; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_plan ON public.tenants FOR UPDATE TO mooring_worker USING (true) WITH CHECK (true);


--
-- Name: tenants worker_removal; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_removal ON public.tenants FOR DELETE TO mooring_worker USING ((deleted_at IS NOT NULL));


--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: -
--

GRANT USAGE ON SCHEMA public TO mooring_api;
GRANT USAGE ON SCHEMA public TO mooring_worker;
GRANT USAGE ON SCHEMA public TO mooring_edge;
GRANT USAGE ON SCHEMA public TO mooring_operator;
GRANT ALL ON SCHEMA public TO mooring_definer;
GRANT USAGE ON SCHEMA public TO mooring_dns;
GRANT USAGE ON SCHEMA public TO mooring_powerdns;


--
-- Name: FUNCTION add_api_calls(tenants uuid[], environments text[], periods date[], amounts bigint[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.add_api_calls(tenants uuid[], environments text[], periods date[], amounts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_api_calls(tenants uuid[], environments text[], periods date[], amounts bigint[]) TO mooring_api;


--
-- Name: FUNCTION add_traffic_partition(at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.add_traffic_partition(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_traffic_partition(at timestamp with time zone) TO mooring_definer;
GRANT ALL ON FUNCTION public.add_traffic_partition(at timestamp with time zone) TO mooring_worker;
GRANT ALL ON FUNCTION public.add_traffic_partition(at timestamp with time zone) TO mooring_operator;


--
-- Name: FUNCTION bring_endpoint_forward(endpoint uuid, tenant uuid, of_environment text, due timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.bring_endpoint_forward(endpoint uuid, tenant uuid, of_environment text, due timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION bring_turn_forward(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.bring_turn_forward() FROM PUBLIC;


--
-- Name: FUNCTION claim_holder(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.claim_holder(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_holder(name text) TO mooring_api;
GRANT ALL ON FUNCTION public.claim_holder(name text) TO mooring_worker;


--
-- Name: FUNCTION claimed_hostnames(names text[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.claimed_hostnames(names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claimed_hostnames(names text[]) TO mooring_api;
GRANT ALL ON FUNCTION public.claimed_hostnames(names text[]) TO mooring_worker;


--
-- Name: FUNCTION delete_endpoint(endpoint uuid, job uuid, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.delete_endpoint(endpoint uuid, job uuid, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_endpoint(endpoint uuid, job uuid, at timestamp with time zone) TO mooring_api;


--
-- Name: FUNCTION drop_traffic_partitions(hours_before timestamp with time zone, days_before timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.drop_traffic_partitions(hours_before timestamp with time zone, days_before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_traffic_partitions(hours_before timestamp with time zone, days_before timestamp with time zone) TO mooring_worker;
GRANT ALL ON FUNCTION public.drop_traffic_partitions(hours_before timestamp with time zone, days_before timestamp with time zone) TO mooring_operator;


--
-- Name: FUNCTION edge_applications(wanted uuid[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_applications(wanted uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_applications(wanted uuid[]) TO mooring_edge;


--
-- Name: FUNCTION edge_claims(after_name text, at_most integer, names text[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_claims(after_name text, at_most integer, names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_claims(after_name text, at_most integer, names text[]) TO mooring_edge;


--
-- Name: FUNCTION edge_claims_middle(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_claims_middle() FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_claims_middle() TO mooring_edge;


--
-- Name: FUNCTION edge_claims_named(names text[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_claims_named(names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_claims_named(names text[]) TO mooring_edge;


--
-- Name: FUNCTION edge_claims_page(after_name text, last_name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_claims_page(after_name text, last_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_claims_page(after_name text, last_name text) TO mooring_edge;


--
-- Name: FUNCTION edge_hosts(after_name text, at_most integer, names text[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_hosts(after_name text, at_most integer, names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_hosts(after_name text, at_most integer, names text[]) TO mooring_edge;


--
-- Name: FUNCTION edge_hosts_of(application uuid); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.edge_hosts_of(application uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edge_hosts_of(application uuid) TO mooring_edge;


--
-- Name: TABLE endpoint_queue; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.endpoint_queue TO mooring_operator;
GRANT SELECT,DELETE,UPDATE ON TABLE public.endpoint_queue TO mooring_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.endpoint_queue TO mooring_definer;


--
-- Name: FUNCTION endpoints_in_turn(at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.endpoints_in_turn(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.endpoints_in_turn(at timestamp with time zone) TO mooring_worker;


--
-- Name: PROCEDURE fill_connection_checks(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON PROCEDURE public.fill_connection_checks() FROM PUBLIC;


--
-- Name: PROCEDURE fill_folded_search(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON PROCEDURE public.fill_folded_search() FROM PUBLIC;


--
-- Name: PROCEDURE fill_ownership(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON PROCEDURE public.fill_ownership() FROM PUBLIC;


--
-- Name: FUNCTION find_api_keys(hashes bytea[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_api_keys(hashes bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_api_keys(hashes bytea[]) TO mooring_api;


--
-- Name: FUNCTION find_removal_link(hash bytea, moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_removal_link(hash bytea, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_removal_link(hash bytea, moment timestamp with time zone) TO mooring_api;


--
-- Name: FUNCTION find_sessions(hashes bytea[], moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_sessions(hashes bytea[], moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_sessions(hashes bytea[], moment timestamp with time zone) TO mooring_api;


--
-- Name: FUNCTION find_share_link(hash bytea, moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_share_link(hash bytea, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_share_link(hash bytea, moment timestamp with time zone) TO mooring_api;


--
-- Name: FUNCTION find_status_link(hash bytea, moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_status_link(hash bytea, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_status_link(hash bytea, moment timestamp with time zone) TO mooring_api;


--
-- Name: FUNCTION find_subscription_tenant(stripe_id text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_subscription_tenant(stripe_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_subscription_tenant(stripe_id text) TO mooring_api;


--
-- Name: FUNCTION find_widget_grants(key_ids uuid[], application_ids uuid[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.find_widget_grants(key_ids uuid[], application_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_widget_grants(key_ids uuid[], application_ids uuid[]) TO mooring_api;


--
-- Name: FUNCTION hostname_origin(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.hostname_origin(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hostname_origin(name text) TO mooring_api;
GRANT ALL ON FUNCTION public.hostname_origin(name text) TO mooring_worker;


--
-- Name: FUNCTION hostname_route(wanted text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.hostname_route(wanted text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hostname_route(wanted text) TO mooring_api;


--
-- Name: TABLE tenants; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.tenants TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.tenants TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tenants TO mooring_operator;
GRANT SELECT ON TABLE public.tenants TO mooring_definer;


--
-- Name: COLUMN tenants.plan; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(plan) ON TABLE public.tenants TO mooring_definer;


--
-- Name: FUNCTION list_connections(filter jsonb, after_at timestamp with time zone, after_id uuid, at_most integer); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.list_connections(filter jsonb, after_at timestamp with time zone, after_id uuid, at_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_connections(filter jsonb, after_at timestamp with time zone, after_id uuid, at_most integer) TO mooring_api;


--
-- Name: FUNCTION new_id(at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.new_id(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.new_id(at timestamp with time zone) TO mooring_api;
GRANT ALL ON FUNCTION public.new_id(at timestamp with time zone) TO mooring_worker;
GRANT ALL ON FUNCTION public.new_id(at timestamp with time zone) TO mooring_operator;


--
-- Name: FUNCTION note_certificate_change(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_certificate_change() FROM PUBLIC;


--
-- Name: FUNCTION note_connection_search(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_connection_search() FROM PUBLIC;


--
-- Name: FUNCTION note_edge_process(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_edge_process() FROM PUBLIC;


--
-- Name: FUNCTION note_host_change(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_host_change() FROM PUBLIC;


--
-- Name: FUNCTION note_origin_change(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_origin_change() FROM PUBLIC;


--
-- Name: FUNCTION note_target_change(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_target_change() FROM PUBLIC;


--
-- Name: FUNCTION note_tenant_change(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_tenant_change() FROM PUBLIC;


--
-- Name: FUNCTION note_validation_claim(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_validation_claim() FROM PUBLIC;


--
-- Name: FUNCTION note_validation_label(changed text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_validation_label(changed text) FROM PUBLIC;


--
-- Name: FUNCTION note_validation_name(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_validation_name() FROM PUBLIC;


--
-- Name: FUNCTION note_validation_value(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_validation_value() FROM PUBLIC;


--
-- Name: FUNCTION origin_is_listed(origin text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.origin_is_listed(origin text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.origin_is_listed(origin text) TO mooring_api;


--
-- Name: FUNCTION page_connections(tenants uuid[], environments text[], states text[], hostnames text[], after_created_ats timestamp with time zone[], after_ids uuid[], page_sizes integer[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.page_connections(tenants uuid[], environments text[], states text[], hostnames text[], after_created_ats timestamp with time zone[], after_ids uuid[], page_sizes integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.page_connections(tenants uuid[], environments text[], states text[], hostnames text[], after_created_ats timestamp with time zone[], after_ids uuid[], page_sizes integer[]) TO mooring_api;


--
-- Name: FUNCTION pdns_label(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.pdns_label(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.pdns_label(name text) TO mooring_powerdns;


--
-- Name: FUNCTION publish_validation(name text, claim_epoch bigint, txt text, until timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.publish_validation(name text, claim_epoch bigint, txt text, until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.publish_validation(name text, claim_epoch bigint, txt text, until timestamp with time zone) TO mooring_edge;


--
-- Name: FUNCTION queue_check(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.queue_check() FROM PUBLIC;


--
-- Name: FUNCTION queue_delivery(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.queue_delivery() FROM PUBLIC;


--
-- Name: FUNCTION queue_endpoint(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.queue_endpoint() FROM PUBLIC;


--
-- Name: TABLE check_queues; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE,UPDATE ON TABLE public.check_queues TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.check_queues TO mooring_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.check_queues TO mooring_definer;


--
-- Name: FUNCTION queues_in_turn(at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.queues_in_turn(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queues_in_turn(at timestamp with time zone) TO mooring_worker;


--
-- Name: FUNCTION read_connections(tenants uuid[], environments text[], ids uuid[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.read_connections(tenants uuid[], environments text[], ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_connections(tenants uuid[], environments text[], ids uuid[]) TO mooring_api;


--
-- Name: FUNCTION read_registrations(domains text[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.read_registrations(domains text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_registrations(domains text[]) TO mooring_api;
GRANT ALL ON FUNCTION public.read_registrations(domains text[]) TO mooring_worker;
GRANT ALL ON FUNCTION public.read_registrations(domains text[]) TO mooring_operator;


--
-- Name: FUNCTION recheck_connection(connection uuid, moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.recheck_connection(connection uuid, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.recheck_connection(connection uuid, moment timestamp with time zone) TO mooring_edge;


--
-- Name: FUNCTION refuse_lease(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.refuse_lease() FROM PUBLIC;


--
-- Name: FUNCTION report_origins(reports jsonb); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.report_origins(reports jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.report_origins(reports jsonb) TO mooring_edge;


--
-- Name: FUNCTION report_traffic(batch jsonb, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.report_traffic(batch jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.report_traffic(batch jsonb, at timestamp with time zone) TO mooring_edge;


--
-- Name: FUNCTION sandbox_live_since(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.sandbox_live_since(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandbox_live_since(name text) TO mooring_api;
GRANT ALL ON FUNCTION public.sandbox_live_since(name text) TO mooring_worker;


--
-- Name: FUNCTION sandbox_zone(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.sandbox_zone(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandbox_zone(name text) TO mooring_api;
GRANT ALL ON FUNCTION public.sandbox_zone(name text) TO mooring_worker;


--
-- Name: FUNCTION served_hosts(after_name text, at_most integer); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.served_hosts(after_name text, at_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.served_hosts(after_name text, at_most integer) TO mooring_api;


--
-- Name: FUNCTION set_own_plan(new_plan text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.set_own_plan(new_plan text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_own_plan(new_plan text) TO mooring_api;


--
-- Name: FUNCTION settle_endpoints(at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.settle_endpoints(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_endpoints(at timestamp with time zone) TO mooring_worker;


--
-- Name: FUNCTION settle_queues(at timestamp with time zone, tenants uuid[], environments text[], lanes integer[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.settle_queues(at timestamp with time zone, tenants uuid[], environments text[], lanes integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_queues(at timestamp with time zone, tenants uuid[], environments text[], lanes integer[]) TO mooring_worker;


--
-- Name: FUNCTION spread_traffic_rows(parent regclass, loaded regclass); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.spread_traffic_rows(parent regclass, loaded regclass) FROM PUBLIC;


--
-- Name: FUNCTION touch_api_keys(ids uuid[], times timestamp with time zone[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.touch_api_keys(ids uuid[], times timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.touch_api_keys(ids uuid[], times timestamp with time zone[]) TO mooring_api;


--
-- Name: FUNCTION touch_session(session uuid, moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.touch_session(session uuid, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.touch_session(session uuid, moment timestamp with time zone) TO mooring_api;


--
-- Name: FUNCTION traffic_coverage(since timestamp with time zone, until timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.traffic_coverage(since timestamp with time zone, until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.traffic_coverage(since timestamp with time zone, until timestamp with time zone) TO mooring_api;
GRANT ALL ON FUNCTION public.traffic_coverage(since timestamp with time zone, until timestamp with time zone) TO mooring_worker;
GRANT ALL ON FUNCTION public.traffic_coverage(since timestamp with time zone, until timestamp with time zone) TO mooring_operator;


--
-- Name: FUNCTION validation_label_of(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.validation_label_of(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.validation_label_of(name text) TO mooring_edge;


--
-- Name: FUNCTION validation_names(after_label text, at_most integer, labels text[], moment timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.validation_names(after_label text, at_most integer, labels text[], moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.validation_names(after_label text, at_most integer, labels text[], moment timestamp with time zone) TO mooring_dns;


--
-- Name: FUNCTION waits_for_quota(name text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.waits_for_quota(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.waits_for_quota(name text) TO mooring_api;


--
-- Name: TABLE acme_accounts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.acme_accounts TO mooring_edge;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.acme_accounts TO mooring_operator;


--
-- Name: COLUMN acme_accounts.directory; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(directory) ON TABLE public.acme_accounts TO mooring_api;
GRANT SELECT(directory) ON TABLE public.acme_accounts TO mooring_worker;


--
-- Name: COLUMN acme_accounts.url; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(url) ON TABLE public.acme_accounts TO mooring_api;
GRANT SELECT(url) ON TABLE public.acme_accounts TO mooring_worker;


--
-- Name: TABLE acme_challenges; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.acme_challenges TO mooring_edge;
GRANT DELETE ON TABLE public.acme_challenges TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.acme_challenges TO mooring_operator;


--
-- Name: COLUMN acme_challenges.hostname; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(hostname) ON TABLE public.acme_challenges TO mooring_worker;


--
-- Name: TABLE acme_orders; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.acme_orders TO mooring_edge;
GRANT DELETE ON TABLE public.acme_orders TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.acme_orders TO mooring_operator;


--
-- Name: COLUMN acme_orders.hostname; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(hostname) ON TABLE public.acme_orders TO mooring_worker;


--
-- Name: TABLE api_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.api_keys TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO mooring_operator;
GRANT SELECT ON TABLE public.api_keys TO mooring_definer;


--
-- Name: COLUMN api_keys.last_used_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_used_at) ON TABLE public.api_keys TO mooring_definer;


--
-- Name: TABLE applications; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.applications TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.applications TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.applications TO mooring_operator;
GRANT SELECT ON TABLE public.applications TO mooring_definer;


--
-- Name: TABLE connections; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.connections TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connections TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connections TO mooring_operator;
GRANT SELECT ON TABLE public.connections TO mooring_definer;


--
-- Name: COLUMN connections.due_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(due_at) ON TABLE public.connections TO mooring_definer;


--
-- Name: COLUMN connections.recheck_requested; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(recheck_requested) ON TABLE public.connections TO mooring_definer;


--
-- Name: TABLE archived_connections; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.archived_connections TO mooring_api;
GRANT SELECT ON TABLE public.archived_connections TO mooring_definer;
GRANT SELECT,INSERT,DELETE ON TABLE public.archived_connections TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.archived_connections TO mooring_operator;


--
-- Name: TABLE audit_log; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.audit_log TO mooring_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.audit_log TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.audit_log TO mooring_operator;


--
-- Name: TABLE certificate_changes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.certificate_changes TO mooring_edge;
GRANT SELECT,DELETE ON TABLE public.certificate_changes TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificate_changes TO mooring_operator;
GRANT INSERT ON TABLE public.certificate_changes TO mooring_definer;


--
-- Name: TABLE certificate_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.certificate_keys TO mooring_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.certificate_keys TO mooring_edge;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificate_keys TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificate_keys TO mooring_operator;


--
-- Name: TABLE certificates; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.certificates TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificates TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificates TO mooring_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.certificates TO mooring_edge;


--
-- Name: SEQUENCE claim_epochs; Type: ACL; Schema: public; Owner: -
--

GRANT USAGE ON SEQUENCE public.claim_epochs TO mooring_worker;


--
-- Name: TABLE claims; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.claims TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.claims TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.claims TO mooring_operator;
GRANT SELECT ON TABLE public.claims TO mooring_definer;


--
-- Name: TABLE connection_checks; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,UPDATE ON TABLE public.connection_checks TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.connection_checks TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connection_checks TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connection_checks TO mooring_definer;


--
-- Name: TABLE connection_days; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.connection_days TO mooring_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.connection_days TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connection_days TO mooring_operator;


--
-- Name: TABLE connection_search; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.connection_search TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.connection_search TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connection_search TO mooring_definer;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connection_search TO mooring_operator;


--
-- Name: TABLE contests; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.contests TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.contests TO mooring_operator;


--
-- Name: COLUMN contests.hostname; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(hostname) ON TABLE public.contests TO mooring_api;


--
-- Name: COLUMN contests.tenant_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(tenant_id) ON TABLE public.contests TO mooring_api;


--
-- Name: COLUMN contests.environment; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(environment) ON TABLE public.contests TO mooring_api;


--
-- Name: COLUMN contests.since; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(since) ON TABLE public.contests TO mooring_api;


--
-- Name: COLUMN contests.deadline; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(deadline) ON TABLE public.contests TO mooring_api;


--
-- Name: COLUMN contests.ended_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(ended_at) ON TABLE public.contests TO mooring_api;


--
-- Name: COLUMN contests.outcome; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(outcome) ON TABLE public.contests TO mooring_api;


--
-- Name: TABLE credentials; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credentials TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.credentials TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credentials TO mooring_operator;


--
-- Name: TABLE deliveries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.deliveries TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.deliveries TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.deliveries TO mooring_operator;
GRANT SELECT ON TABLE public.deliveries TO mooring_definer;


--
-- Name: TABLE dns_writes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.dns_writes TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.dns_writes TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.dns_writes TO mooring_operator;


--
-- Name: TABLE domain_connect_attempts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.domain_connect_attempts TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.domain_connect_attempts TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.domain_connect_attempts TO mooring_operator;


--
-- Name: TABLE domain_connect_grants; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.domain_connect_grants TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.domain_connect_grants TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.domain_connect_grants TO mooring_operator;


--
-- Name: TABLE domain_connect_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.domain_connect_keys TO mooring_api;
GRANT SELECT ON TABLE public.domain_connect_keys TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.domain_connect_keys TO mooring_operator;


--
-- Name: COLUMN domain_connect_keys.activated_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(activated_at) ON TABLE public.domain_connect_keys TO mooring_api;


--
-- Name: TABLE drop_in_fields; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.drop_in_fields TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.drop_in_fields TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.drop_in_fields TO mooring_operator;


--
-- Name: TABLE edges; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.edges TO mooring_edge;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.edges TO mooring_operator;
GRANT SELECT,DELETE ON TABLE public.edges TO mooring_worker;


--
-- Name: TABLE email_setups; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.email_setups TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.email_setups TO mooring_operator;
GRANT SELECT,DELETE ON TABLE public.email_setups TO mooring_worker;


--
-- Name: TABLE endpoint_jobs; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.endpoint_jobs TO mooring_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.endpoint_jobs TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.endpoint_jobs TO mooring_worker;
GRANT INSERT ON TABLE public.endpoint_jobs TO mooring_definer;


--
-- Name: TABLE events; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.events TO mooring_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.events TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events TO mooring_operator;


--
-- Name: TABLE first_visits; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.first_visits TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.first_visits TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.first_visits TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.first_visits TO mooring_definer;


--
-- Name: TABLE foreign_certificates; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.foreign_certificates TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.foreign_certificates TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.foreign_certificates TO mooring_operator;


--
-- Name: TABLE held_hostnames; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.held_hostnames TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.held_hostnames TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.held_hostnames TO mooring_operator;


--
-- Name: TABLE host_changes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.host_changes TO mooring_edge;
GRANT SELECT,DELETE ON TABLE public.host_changes TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.host_changes TO mooring_operator;
GRANT INSERT ON TABLE public.host_changes TO mooring_definer;


--
-- Name: TABLE idempotency_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.idempotency_keys TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO mooring_operator;


--
-- Name: TABLE imported_certificates; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.imported_certificates TO mooring_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.imported_certificates TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.imported_certificates TO mooring_operator;


--
-- Name: TABLE issuance_budget; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.issuance_budget TO mooring_edge;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.issuance_budget TO mooring_operator;
GRANT SELECT ON TABLE public.issuance_budget TO mooring_worker;


--
-- Name: TABLE key_check; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.key_check TO mooring_api;
GRANT SELECT,INSERT ON TABLE public.key_check TO mooring_worker;
GRANT SELECT,INSERT ON TABLE public.key_check TO mooring_edge;
GRANT SELECT,INSERT,DELETE ON TABLE public.key_check TO mooring_operator;


--
-- Name: TABLE left_behind; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.left_behind TO mooring_api;
GRANT SELECT ON TABLE public.left_behind TO mooring_definer;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.left_behind TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.left_behind TO mooring_operator;


--
-- Name: TABLE local_ca; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.local_ca TO mooring_edge;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.local_ca TO mooring_operator;


--
-- Name: COLUMN local_ca.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.local_ca TO mooring_api;


--
-- Name: COLUMN local_ca.certificate; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(certificate) ON TABLE public.local_ca TO mooring_api;


--
-- Name: TABLE members; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.members TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.members TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.members TO mooring_api;
GRANT SELECT ON TABLE public.members TO mooring_definer;


--
-- Name: COLUMN members.last_seen_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_seen_at) ON TABLE public.members TO mooring_definer;


--
-- Name: TABLE oauth_grants; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.oauth_grants TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.oauth_grants TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth_grants TO mooring_operator;


--
-- Name: TABLE origin_health; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.origin_health TO mooring_edge;
GRANT SELECT,DELETE ON TABLE public.origin_health TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.origin_health TO mooring_operator;


--
-- Name: TABLE passkeys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkeys TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkeys TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkeys TO mooring_api;


--
-- Name: TABLE pdns_domainmetadata; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.pdns_domainmetadata TO mooring_powerdns;


--
-- Name: TABLE pdns_domains; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.pdns_domains TO mooring_powerdns;


--
-- Name: TABLE validation_changes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.validation_changes TO mooring_worker;
GRANT SELECT ON TABLE public.validation_changes TO mooring_dns;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.validation_changes TO mooring_operator;
GRANT SELECT,INSERT ON TABLE public.validation_changes TO mooring_definer;


--
-- Name: TABLE validation_values; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.validation_values TO mooring_edge;
GRANT SELECT,DELETE ON TABLE public.validation_values TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.validation_values TO mooring_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.validation_values TO mooring_definer;


--
-- Name: TABLE pdns_records; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.pdns_records TO mooring_powerdns;


--
-- Name: TABLE pdns_tsigkeys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.pdns_tsigkeys TO mooring_powerdns;


--
-- Name: TABLE quota_waits; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.quota_waits TO mooring_api;
GRANT SELECT ON TABLE public.quota_waits TO mooring_definer;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.quota_waits TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.quota_waits TO mooring_operator;


--
-- Name: TABLE rdap_bootstrap; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.rdap_bootstrap TO mooring_api;
GRANT SELECT ON TABLE public.rdap_bootstrap TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.rdap_bootstrap TO mooring_operator;


--
-- Name: TABLE rdap_servers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.rdap_servers TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.rdap_servers TO mooring_operator;


--
-- Name: TABLE registered_names; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.registered_names TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.registered_names TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.registered_names TO mooring_operator;


--
-- Name: TABLE registration_scan; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,UPDATE ON TABLE public.registration_scan TO mooring_worker;
GRANT SELECT,UPDATE ON TABLE public.registration_scan TO mooring_operator;


--
-- Name: TABLE registrations; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.registrations TO mooring_api;
GRANT SELECT ON TABLE public.registrations TO mooring_definer;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.registrations TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.registrations TO mooring_operator;


--
-- Name: TABLE removal_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.removal_links TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.removal_links TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.removal_links TO mooring_operator;
GRANT SELECT ON TABLE public.removal_links TO mooring_definer;


--
-- Name: TABLE sandbox_zones; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sandbox_zones TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sandbox_zones TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sandbox_zones TO mooring_operator;
GRANT SELECT ON TABLE public.sandbox_zones TO mooring_definer;


--
-- Name: TABLE schema_migrations; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.schema_migrations TO mooring_api;
GRANT SELECT ON TABLE public.schema_migrations TO mooring_worker;
GRANT SELECT ON TABLE public.schema_migrations TO mooring_edge;
GRANT SELECT ON TABLE public.schema_migrations TO mooring_operator;
GRANT SELECT ON TABLE public.schema_migrations TO mooring_dns;


--
-- Name: TABLE sending_domains; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sending_domains TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.sending_domains TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sending_domains TO mooring_operator;


--
-- Name: TABLE sessions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO mooring_api;
GRANT SELECT ON TABLE public.sessions TO mooring_definer;


--
-- Name: COLUMN sessions.last_seen_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_seen_at) ON TABLE public.sessions TO mooring_definer;


--
-- Name: TABLE share_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.share_links TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.share_links TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_links TO mooring_operator;
GRANT SELECT ON TABLE public.share_links TO mooring_definer;


--
-- Name: TABLE sign_in_attempts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.sign_in_attempts TO mooring_worker;
GRANT SELECT,INSERT,DELETE ON TABLE public.sign_in_attempts TO mooring_operator;


--
-- Name: TABLE sign_in_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_links TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_links TO mooring_operator;
GRANT SELECT,INSERT,DELETE ON TABLE public.sign_in_links TO mooring_api;


--
-- Name: TABLE signing_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.signing_keys TO mooring_api;
GRANT SELECT ON TABLE public.signing_keys TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.signing_keys TO mooring_operator;
GRANT SELECT,INSERT ON TABLE public.signing_keys TO mooring_edge;


--
-- Name: TABLE status_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.status_links TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.status_links TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.status_links TO mooring_operator;
GRANT SELECT ON TABLE public.status_links TO mooring_definer;


--
-- Name: TABLE subscriptions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.subscriptions TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.subscriptions TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.subscriptions TO mooring_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.subscriptions TO mooring_definer;


--
-- Name: TABLE targets; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.targets TO mooring_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.targets TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.targets TO mooring_operator;


--
-- Name: COLUMN targets.customer_ref; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(customer_ref) ON TABLE public.targets TO mooring_api;


--
-- Name: TABLE tenant_domains; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tenant_domains TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tenant_domains TO mooring_operator;
GRANT SELECT ON TABLE public.tenant_domains TO mooring_api;


--
-- Name: TABLE ticket_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.ticket_keys TO mooring_edge;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ticket_keys TO mooring_operator;


--
-- Name: TABLE timeline; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.timeline TO mooring_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.timeline TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.timeline TO mooring_operator;


--
-- Name: TABLE token_connections; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.token_connections TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.token_connections TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.token_connections TO mooring_operator;


--
-- Name: TABLE traffic_batches; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.traffic_batches TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_batches TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_batches TO mooring_definer;


--
-- Name: TABLE traffic_day_states; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_day_states TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_day_states TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_day_states TO mooring_definer;
GRANT SELECT ON TABLE public.traffic_day_states TO mooring_api;


--
-- Name: TABLE traffic_days; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.traffic_days TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_days TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_days TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_days TO mooring_definer;


--
-- Name: TABLE traffic_edges; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.traffic_edges TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_edges TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_edges TO mooring_definer;
GRANT SELECT ON TABLE public.traffic_edges TO mooring_api;


--
-- Name: TABLE traffic_hours; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.traffic_hours TO mooring_api;
GRANT SELECT,DELETE ON TABLE public.traffic_hours TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_hours TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_hours TO mooring_definer;


--
-- Name: TABLE traffic_processes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.traffic_processes TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_processes TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_processes TO mooring_definer;


--
-- Name: TABLE traffic_rankings; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_rankings TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_rankings TO mooring_operator;


--
-- Name: TABLE traffic_reports; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.traffic_reports TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_reports TO mooring_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_reports TO mooring_definer;


--
-- Name: TABLE traffic_tops; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.traffic_tops TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_tops TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.traffic_tops TO mooring_operator;


--
-- Name: TABLE transparency_logs; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transparency_logs TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transparency_logs TO mooring_operator;


--
-- Name: TABLE troubles; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.troubles TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.troubles TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.troubles TO mooring_operator;


--
-- Name: COLUMN troubles.connection_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(connection_id) ON TABLE public.troubles TO mooring_edge;


--
-- Name: COLUMN troubles.kind; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(kind) ON TABLE public.troubles TO mooring_edge;


--
-- Name: COLUMN troubles.closed_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(closed_at) ON TABLE public.troubles TO mooring_edge;


--
-- Name: TABLE usage_causes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.usage_causes TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_causes TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_causes TO mooring_operator;


--
-- Name: TABLE usage_counters; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.usage_counters TO mooring_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_counters TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_counters TO mooring_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.usage_counters TO mooring_definer;


--
-- Name: TABLE webhook_endpoints; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO mooring_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO mooring_operator;
GRANT SELECT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO mooring_definer;


--
-- Name: TABLE zone_leases; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.zone_leases TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.zone_leases TO mooring_operator;


--
-- Name: TABLE zone_reads; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.zone_reads TO mooring_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.zone_reads TO mooring_operator;


--
-- PostgreSQL database dump complete
--

\unrestrict mooring

