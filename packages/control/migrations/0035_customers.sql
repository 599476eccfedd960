-- End customers of a tenant: whose a connection is, in the tenant's own words. Null: nobody said.
alter table connections add column customer_ref text;
alter table events add column customer_ref text;

-- How the widget, the share page and mails present the application; null: by its name alone.
alter table applications add column brand jsonb;

-- Which connections a widget token that names neither a customer nor a domain has made or resumed: such a
-- token reaches no other proven one. A row is of no use once the token is over.
create table token_connections (
  token_id uuid not null,
  connection_id uuid not null references connections (id),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  expires_at timestamptz not null,
  primary key (token_id, connection_id)
);
create index token_connections_by_expiry on token_connections (expires_at);
create index token_connections_by_connection on token_connections (connection_id);

alter table token_connections enable row level security;
alter table token_connections force row level security;
create policy tenant on token_connections to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on token_connections to mooring_worker using (true) with check (true);
create policy operator on token_connections to mooring_operator using (true) with check (true);

grant select, insert on token_connections to mooring_api;
grant select, delete on token_connections to mooring_worker;
grant select, insert, update, delete on token_connections to mooring_operator;

-- As before, with whose the holder is.
drop function claim_holder(text);
create function claim_holder(name text)
  returns table (connection_id uuid, application_id uuid, state text, customer_ref text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.connection_id, k.application_id, k.state, k.customer_ref
        from public.claims c join public.connections k on k.id = c.connection_id
        where c.hostname = name $$;
alter function claim_holder(text) owner to mooring_definer;
revoke execute on function claim_holder(text) from public;
grant execute on function claim_holder(text) to mooring_api, mooring_worker;

-- As before, with whose the connection is: the reader of its page sees no other.
drop function find_share_link(bytea, timestamptz);
create function find_share_link(hash bytea, moment timestamptz)
  returns table (tenant_id uuid, environment text, connection_id uuid, application_id uuid,
                 hostname text, expires_at timestamptz, customer_ref text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select s.tenant_id, s.environment, s.connection_id, k.application_id, k.hostname, s.expires_at,
               k.customer_ref
        from public.share_links s
        join public.connections k on k.id = s.connection_id and k.state <> 'archived'
        where s.token_hash = hash and s.expires_at > moment $$;
alter function find_share_link(bytea, timestamptz) owner to mooring_definer;
revoke execute on function find_share_link(bytea, timestamptz) from public;
grant execute on function find_share_link(bytea, timestamptz) to mooring_api;

-- As before; the target of a redirect belongs to the same customer.
create or replace function edge_claims(after_name text, at_most int, names text[])
  returns table (hostname text, epoch bigint, environment text, connection_id uuid, application_id uuid,
    tenant_id uuid, registrable_domain text, redirect_to text, origin_url text, origin_host_header text)
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain,
          case when k.redirect_to is not null then (
            select t.hostname from public.claims h
            join public.connections t on t.id = h.connection_id
            where h.hostname = k.redirect_to and t.application_id = k.application_id
              and t.customer_ref is not distinct from k.customer_ref
              and t.state in ('live', 'drifted')) end,
          k.origin_url, k.origin_host_header
        from public.claims c
        join public.connections k on k.id = c.connection_id
        where c.hostname > after_name and (names is null or c.hostname = any (names))
        order by c.hostname limit at_most $$;

-- As before, with the customer.
create or replace function page_connections(tenants uuid[], environments text[], states text[], hostnames text[],
    after_created_ats timestamptz[], after_ids uuid[], page_sizes int[])
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
    perform set_config('app.tenant', w.tenant::text, true), set_config('app.environment', w.environment, true);
    if w.hostname is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
          c.origin_host_header, c.customer_ref, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
          and c.hostname = w.hostname and (w.state is null or c.state = w.state)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    elsif w.state is not null then
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
          c.origin_host_header, c.customer_ref, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id) and c.state = w.state
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    else
      select json_agg(row) into page from (
        select c.id, c.application_id, c.environment, c.hostname, c.kind, c.setup_type, c.state, c.provider,
          c.batch_id, c.error_code, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
          c.origin_host_header, c.customer_ref, c.created_at
        from public.connections c
        where c.tenant_id = w.tenant and c.environment = w.environment
          and (c.created_at, c.id) < (w.before_at, w.before_id)
        order by c.created_at desc, c.id desc limit w.page_size) as row;
    end if;
    return next page;
  end loop;
end $$;
