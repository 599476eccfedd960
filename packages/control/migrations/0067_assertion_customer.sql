-- Edges name a host's customer to its origin. The line of a host ends with the customer as JSON, empty where there is
-- none; edges of the release before read the fields before it.
create or replace view edge_claim_lines as
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
        'originUrl', k.origin_url, 'originHostHeader', k.origin_host_header))::text end,
      coalesce(to_json(k.customer_ref)::text, '')) as line
  from claims c
  join only connections k on k.id = c.connection_id;

create trigger customer_change after update of customer_ref on connections
  for each row when (old.customer_ref is distinct from new.customer_ref) execute function note_host_change();
