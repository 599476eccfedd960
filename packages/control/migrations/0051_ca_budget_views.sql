-- The operator's view of the CAs shows what is left of their limits, as the edges use them.

alter table issuance_budget
  -- So many at once, and as many again in so many seconds. Null where no view needs it.
  add column rate_count int,
  add column rate_seconds int;
grant select on issuance_budget to mooring_worker;
