-- What is remembered between two writes of a customer's zone.

-- How many records the last complete reading of a zone had, to recognise one that is cut short.
create table zone_reads (
  -- The stored credential that read it; for one that was given once, the connection.
  reader uuid not null,
  zone text not null,
  records integer not null,
  -- A reading with far fewer is believed once it has stayed the same for a while.
  short_records integer,
  short_since timestamptz,
  read_at timestamptz not null,
  primary key (reader, zone)
);
grant select, insert, update, delete on zone_reads to mooring_worker, mooring_operator;

-- The zone was read after the failure and showed nothing of the write.
alter table dns_writes add column unchanged boolean not null default false;
create index dns_writes_recent on dns_writes (created_at);

-- When the provider refused the credential; it is then left alone for a while.
alter table credentials add column refused_at timestamptz;
