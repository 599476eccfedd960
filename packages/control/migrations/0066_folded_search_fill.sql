-- no transaction
-- 0065 has what they are for.

call fill_folded_search();

create index concurrently if not exists connections_by_batch
  on connections (tenant_id, environment, batch_id, created_at desc, id desc) where batch_id is not null;
create index concurrently if not exists archived_connections_by_batch
  on archived_connections (tenant_id, environment, batch_id, created_at desc, id desc) where batch_id is not null;
