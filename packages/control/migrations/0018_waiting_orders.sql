-- An order that waits for DNS is not a failed one, and old answers stay in caches for a known time.

alter table certificates
  -- How often the order has been put off since it last was due, because the name does not lead here yet.
  add column waits int not null default 0,
  -- Until when caches may still give the answer from before the records were right; null when not known.
  add column cached_until timestamptz;

-- Until when caches may still give the wrong answer that the last check saw.
alter table connections add column cached_until timestamptz;
