-- What the operator watches, from indexes: connections under way by state, and those that went live.
create index connections_under_way on connections (state, phase_started_at)
  where state not in ('live', 'archived', 'failed');
create index connections_went_live on connections (first_live_at) where first_live_at is not null;
