-- As before, with the few endpoints whose turn has come read by their keys: while all endpoints fit into some hundred
-- pages the planner prefers to read them all, at every claim of deliveries.
create or replace function settle_endpoints(at timestamptz) returns void
  language plpgsql volatile set search_path = pg_catalog, public
  as $$
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
