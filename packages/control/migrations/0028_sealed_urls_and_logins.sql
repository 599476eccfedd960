-- A receiver's URL may carry a secret. Such a URL is stored sealed, and shown without its secret parts; `url` is
-- then a name that resolves nowhere, so that no process of the release before sends to a part of it.
alter table webhook_endpoints
  add column sealed_url text,
  add column masked_url text,
  add constraint webhook_endpoints_masked check ((sealed_url is null) = (masked_url is null)) not valid;

-- A process whose login may act as its own role only must be able to see whether the schema is up to date.
grant select on schema_migrations to mooring_api, mooring_worker, mooring_edge, mooring_operator;
