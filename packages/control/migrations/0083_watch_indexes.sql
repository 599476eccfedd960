-- no transaction
-- For what is watched over: searches whose cost must not grow with all names.

-- The claims that a certificate for a wildcard concerns, by the wildcard one label above each.
create index concurrently if not exists claims_by_wildcard
  on claims (('*' || substr(hostname, strpos(hostname, '.')))) where hostname not like '*.%';

-- Archived connections that have moved, in the order of their archive.
create index concurrently if not exists archived_connections_archived
  on archived_connections (archived_at, id);
