-- What is under way, which is little of the log: a claim counts it for each tenant that waits.
create index deliveries_leased on deliveries (tenant_id, leased_until, endpoint_id)
  where leased_until is not null;
