-- Which names had the most, so that a list of them does not read the rows of all: of every hour and day in which a tenant,
-- or one of its applications, had many names. Small ones have none, and are read as they are.

create table traffic_tops (
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  -- The application, or the tenant for all of its names.
  scope_id uuid not null,
  step text not null check (step in ('hour', 'day')),
  sort text not null check (sort in ('requests', 'errors', 'bytes')),
  -- When the hour or the day began.
  at timestamptz not null,
  subject_id uuid not null,
  amount bigint not null,
  primary key (tenant_id, environment, scope_id, step, sort, at, subject_id)
);
create index traffic_tops_at on traffic_tops (at);

-- When an hour was last ranked.
create table traffic_rankings (
  hour timestamptz primary key,
  ranked_at timestamptz not null
);

alter table traffic_tops enable row level security;
alter table traffic_tops force row level security;
create policy tenant on traffic_tops for select to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on traffic_tops to mooring_worker using (true) with check (true);
create policy operator on traffic_tops to mooring_operator using (true) with check (true);
grant select on traffic_tops to mooring_api;
grant select, insert, update, delete on traffic_tops, traffic_rankings to mooring_worker, mooring_operator;

-- The rows of one hour, which are beside each other in their partition. For partitions to come: those that are there
-- are read as a whole until they are dropped.
create index traffic_hours_by_hour on only traffic_hours using brin (hour) with (autosummarize = on);
