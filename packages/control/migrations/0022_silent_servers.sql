-- Since when which nameservers of a connection's domain have not answered, as host to time. A server that
-- is silent for long enough no longer holds up the proof that the others give.
alter table connections add column silent_servers jsonb not null default '{}';
