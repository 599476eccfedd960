-- What happened on a day that is over, for tenants with so many connections that counting takes long. A row is made
-- by the first summary that needs it, and dropped when it leaves the window of the summaries.
create table connection_days (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('test', 'live')),
  -- In UTC.
  day date not null,
  created integer not null check (created >= 0),
  live integer not null check (live >= 0),
  failed integer not null check (failed >= 0),
  drifted integer not null check (drifted >= 0),
  -- From create to live in seconds: quantiles of the connections that went live, at equal distances.
  took float8[] not null,
  primary key (tenant_id, environment, day)
);

alter table connection_days enable row level security;
alter table connection_days force row level security;
create policy tenant on connection_days to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on connection_days to mooring_worker using (true) with check (true);
create policy operator on connection_days to mooring_operator using (true) with check (true);

grant select, insert, delete on connection_days to mooring_api;
grant select, delete on connection_days to mooring_worker;
grant select, insert, update, delete on connection_days to mooring_operator;
