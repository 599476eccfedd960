-- Edges read all hosts as text that they store as it is: a row of ten columns costs several times as much on both sides.
-- `edge_claims` stays for edges of the release before.

-- A line is the name, then the fields in the order of the edge's `host-line.ts`, separated by tabs, which no field
-- contains. The last one is what the connection sets itself, as JSON; empty for most.
create view edge_claim_lines as
  select c.hostname,
    concat_ws(e'\t', c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain,
      case when k.redirect_to is null and k.origin_url is null and k.origin_host_header is null then ''
      else json_strip_nulls(json_build_object(
        'redirectTo', case when k.redirect_to is not null then (
          select t.hostname from claims h
          join only connections t on t.id = h.connection_id
          where h.hostname = k.redirect_to and t.application_id = k.application_id
            and t.customer_ref is not distinct from k.customer_ref
            and t.state in ('live', 'drifted')) end,
        'originUrl', k.origin_url, 'originHostHeader', k.origin_host_header))::text end) as line
  from claims c
  join only connections k on k.id = c.connection_id;

-- The next hosts in the order of their names, up to a name or to the last one; null after it. The number is part of the
-- statement: for a number that it does not know yet the planner would prepare to read a tenth of the table. The end of
-- the range is compared with what was read, so that the index alone gives the order.
create function edge_claims_page(after_name text, last_name text) returns text
  language sql stable security definer
  set search_path = pg_catalog, public set max_parallel_workers_per_gather = 0
  as $$ select string_agg(p.line, e'\n') from (
      select l.hostname, l.line from public.edge_claim_lines l
      where l.hostname > after_name order by l.hostname limit 2000) p
    where last_name is null or p.hostname <= last_name $$;

-- Each by its key, however many there are.
create function edge_claims_named(names text[]) returns text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select string_agg(l.line, e'\n') from unnest(names) as n (name)
    cross join lateral (select i.line from public.edge_claim_lines i where i.hostname = n.name limit 1) l $$;

-- A name with about as many hosts before as after it, by the rows of some hundred pages of the table; null without hosts.
create function edge_claims_middle() returns text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select percentile_disc(0.5) within group (order by c.hostname)
    from public.claims c tablesample system (least(100,
      10000 * current_setting('block_size')::float / greatest(pg_relation_size('public.claims'), 1))) $$;

alter view edge_claim_lines owner to mooring_definer;
alter function edge_claims_page(text, text) owner to mooring_definer;
alter function edge_claims_named(text[]) owner to mooring_definer;
alter function edge_claims_middle() owner to mooring_definer;
revoke execute on function edge_claims_page(text, text), edge_claims_named(text[]), edge_claims_middle() from public;
grant execute on function edge_claims_page(text, text), edge_claims_named(text[]), edge_claims_middle() to mooring_edge;
