-- no transaction
-- Who redirects to a hostname: 0033 has what it is for.

create index concurrently if not exists connections_redirecting
  on connections (application_id, redirect_to) where redirect_to is not null;
alter table connections validate constraint connections_origin_host_header_check;
