-- Lists by whose move it is, and of what is stuck.

-- Whether a connection is in its state for longer than is usual. `since_before` has a time for each state that can be
-- stuck. A cut-over that is ready waits for a decision.
create function is_stuck(state text, since timestamptz, cutover jsonb, since_before jsonb) returns boolean
  language sql stable parallel safe
  as $$
  select coalesce(since <= (since_before ->> state)::timestamptz, false)
    and coalesce(cutover ->> 'status', '') not in ('ready', 'reverted')
$$;

do $migration$
declare
  before text := pg_get_functiondef('list_connections'::regproc);
  after text := before;
begin
  after := replace(after, $$|| case when filter ? 'hostname' then$$,
    $$|| case when filter ? 'actors' then ' and c.finding is not null and c.state <> ''archived'' and $6 -> ''actors'' ? (c.finding ->> ''actor'')'
            else '' end
    || case when filter ? 'stuck' then ' and c.state <> ''archived'' and (c.state <> ''live'' or c.error_code is not null)
         and public.is_stuck(c.state, coalesce(c.state_since, c.phase_started_at), c.cutover, $6 -> ''stuck'')' else '' end
    || case when filter ? 'hostname' then$$);
  after := replace(after, $$or states is null and filter ->> 'sort' = 'stuck_since'$$,
    $$or states is null and (filter ->> 'sort' = 'stuck_since' or filter ?| array['actors', 'stuck'])$$);
  if position('is_stuck(' in after) = 0 or position('?|' in after) = 0 then
    raise exception 'list_connections is not as this migration expects it';
  end if;
  execute after;
end
$migration$;
