-- no transaction
-- 0057 has what they are for.

call fill_connection_checks();
analyze connection_checks;

-- Certificates that have ended and are not marked, which are few at any time.
create index concurrently if not exists certificates_unmarked_end
  on certificates (not_after) where status <> 'expired';
-- Sizes of zones, those read longest ago first: they are removed by their age.
create index concurrently if not exists zone_reads_age on zone_reads (read_at);
