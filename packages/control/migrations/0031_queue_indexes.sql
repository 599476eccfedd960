-- no transaction
-- The rows of one queue of checks, soonest first, and the rows that are parked: 0027 has what they are for.

create index concurrently if not exists connections_queue
  on connections (tenant_id, environment, check_lane(state, checks), due_at) where due_at is not null;
create index concurrently if not exists connections_parked
  on connections (parked_at) where parked_at is not null and due_at is null;
create index concurrently if not exists deliveries_parked
  on deliveries (parked_at) where parked_at is not null and due_at is null;
