-- The edge makes the keys that sign what it tells origins, and sees no other signing key. The api
-- publishes the public halves of all and writes only those of widget tokens.
alter table signing_keys enable row level security;
alter table signing_keys force row level security;
create policy api_reads on signing_keys for select to mooring_api using (true);
create policy api_makes on signing_keys for insert to mooring_api with check (purpose = 'widget');
create policy api_retires on signing_keys for update to mooring_api
  using (purpose = 'widget') with check (purpose = 'widget');
create policy worker on signing_keys for select to mooring_worker using (true);
create policy operator on signing_keys to mooring_operator using (true) with check (true);
create policy edge_reads on signing_keys for select to mooring_edge using (purpose = 'assertion');
create policy edge_makes on signing_keys for insert to mooring_edge with check (purpose = 'assertion');
grant select, insert on signing_keys to mooring_edge;

alter table certificates
  -- When the CA is next asked for its wish about the renewal; null where it has none to tell.
  add column ari_due_at timestamptz,
  -- When somebody was last told that the end is near and no successor is there.
  add column alarmed_at timestamptz;
create index certificates_ari_due on certificates (ari_due_at) where ari_due_at is not null;
create index certificates_end on certificates (not_after) where not_after is not null;
