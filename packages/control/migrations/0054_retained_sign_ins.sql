-- What a customer's sign-in at their DNS provider gave, where the tenant asked to keep it: a credential for
-- their own connections alone (one, or the two of a pair), whose token is refreshed in time.
alter table applications add column keep_oauth boolean not null default false;
alter table credentials
  -- Null: a credential of the tenant's, for every connection of the application.
  add column connection_ids uuid[] check (cardinality(connection_ids) between 1 and 2),
  -- Null where the token does not end. A refresh under way moves it ahead, so that nobody else begins one.
  add column refresh_at timestamptz check (refresh_at is null or connection_ids is not null);
create index credentials_by_connection on credentials using gin (connection_ids)
  where connection_ids is not null;
create index credentials_to_refresh on credentials (refresh_at) where refresh_at is not null;
