-- Names that customers keep behind a CDN: what stands in front of a name as the last check saw it, null for a name that
-- resolves to the edge, and whether an application accepts such names.
alter table connections add column front jsonb;
alter table applications add column proxied text not null default 'accept';
alter table applications add constraint applications_proxied_check check (proxied in ('accept', 'refuse')) not valid;
