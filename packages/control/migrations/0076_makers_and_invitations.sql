-- Who made a key, as the audit log names them; null where it does not tell.
alter table api_keys add column created_by text, add column created_by_name text;

-- The owner of the tables reads and writes all rows for this once.
alter table api_keys no force row level security;
alter table audit_log no force row level security;
update api_keys k set created_by = a.actor, created_by_name = a.actor_name
  from audit_log a
  where a.tenant_id = k.tenant_id and a.subject = 'api_key:' || k.id and a.action = 'api_key.create';
alter table api_keys force row level security;
alter table audit_log force row level security;

-- A new invitation ends the one before.
grant delete on sign_in_links to mooring_api;
create index sign_in_links_by_member on sign_in_links (member_id) where member_id is not null;
