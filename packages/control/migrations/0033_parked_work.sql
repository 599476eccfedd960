-- Work that fails because of the row itself is parked: tried some times with growing pauses, then not at all
-- until somebody wakes it. A row is parked while parked_at is set and it is not due.

alter table connections
  -- Runs in a row that failed because of the row, not because of the database or the network.
  add column failures int not null default 0,
  add column parked_at timestamptz,
  -- For the operator: it may name internals.
  add column parked_reason text;
create index connections_parked on connections (parked_at) where parked_at is not null and due_at is null;

alter table deliveries
  add column failures int not null default 0,
  add column parked_at timestamptz,
  add column parked_reason text;
create index deliveries_parked on deliveries (parked_at) where parked_at is not null and due_at is null;
