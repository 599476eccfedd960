-- What was set as a zone's fallback origin through the drop-in API of Cloudflare, with its times; null: nothing was.
alter table applications add column fallback_origin jsonb;

-- The form in which a receiver gets its events.
alter table webhook_endpoints add column format text not null default 'standard';
alter table webhook_endpoints add constraint webhook_endpoints_format_check check (format in ('standard', 'cloudflare'))
  not valid;
