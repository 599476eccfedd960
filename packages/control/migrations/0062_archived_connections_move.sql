-- no transaction
-- 0061 has what they are for.

-- Archived connections that have not moved yet, those archived longest first.
create index concurrently if not exists connections_archived
  on connections (archived_at) where state = 'archived';
