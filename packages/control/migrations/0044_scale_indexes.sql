-- no transaction
-- What is looked for often costs the same however large the tables are: 0043 has what the columns are for.

-- Renewals and first certificates that are due, soonest first.
create index concurrently if not exists certificates_renewal_due
  on certificates (due_at) where chain is not null and due_at is not null;
create index concurrently if not exists certificates_first_at
  on certificates (due_at) where chain is null and due_at is not null;
-- Alarms, and the rows from before there was a time for them, which become none.
create index concurrently if not exists certificates_alarm
  on certificates (alarm_at) where alarm_at is not null;
create index concurrently if not exists certificates_without_alarm
  on certificates (hostname) where alarm_at is null and not_after is not null;
create index concurrently if not exists certificates_alarmed
  on certificates (alarmed_at) where alarmed_at is not null;

-- Test events of an endpoint, which it gets although it is off.
create index concurrently if not exists deliveries_test_due
  on deliveries (endpoint_id, due_at) where event_type = 'endpoint.test' and due_at is not null;
-- Open deliveries that are not due: they wait until the endpoint is switched on.
create index concurrently if not exists deliveries_paused
  on deliveries (endpoint_id) where due_at is null and status in ('pending', 'failed');
-- The oldest rows of the logs, which are removed by their age. A block range is enough: they are in this order.
create index concurrently if not exists deliveries_age on deliveries using brin (created_at);
create index concurrently if not exists events_age on events using brin (created_at);
create index concurrently if not exists timeline_age on timeline using brin (created_at);
create index concurrently if not exists audit_log_age on audit_log using brin (at);
create index concurrently if not exists usage_causes_age on usage_causes using brin (at);

-- For metrics: connections on the way to live, and those that went live lately.
create index concurrently if not exists connections_in_progress
  on connections (state, phase_started_at) where state not in ('live', 'archived', 'failed');
create index concurrently if not exists connections_first_live
  on connections (first_live_at) where first_live_at is not null;
