-- no transaction
-- The connections and the events of one customer, newest first: 0035 has what the column is.

create index concurrently if not exists connections_by_customer
  on connections (tenant_id, environment, customer_ref, created_at desc, id desc) where customer_ref is not null;
create index concurrently if not exists events_by_customer
  on events (tenant_id, environment, customer_ref, created_at desc, id desc) where customer_ref is not null;
