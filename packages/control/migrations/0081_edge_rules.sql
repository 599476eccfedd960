-- What a connection sets of the edge's rules itself, in the shape of applications.edge; "off" for a rule of its
-- application that it does not have. Null for most.
alter table connections add column edge jsonb;

-- Edges of the release before ignore the key `rules`.
create or replace view edge_claim_lines as
  select c.hostname,
    concat_ws(e'\t', c.hostname, c.epoch, c.environment, k.id, k.application_id, k.tenant_id, k.registrable_domain,
      case when k.redirect_to is null and k.origin_url is null and k.origin_host_header is null and k.edge is null then ''
      else json_strip_nulls(json_build_object(
        'redirectTo', case when k.redirect_to is not null then (
          select t.hostname from claims h
          join only connections t on t.id = h.connection_id
          where h.hostname = k.redirect_to and t.application_id = k.application_id
            and t.customer_ref is not distinct from k.customer_ref
            and t.state in ('live', 'drifted')) end,
        'originUrl', k.origin_url, 'originHostHeader', k.origin_host_header, 'rules', k.edge))::text end,
      coalesce(to_json(k.customer_ref)::text, '')) as line
  from claims c
  join only connections k on k.id = c.connection_id;

create trigger rules_change after update of edge on connections
  for each row when (old.edge is distinct from new.edge) execute function note_host_change();
