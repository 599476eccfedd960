-- The secrets from which all edges derive the keys of TLS session tickets (RFC 5077, RFC 8446 §4.6.1). Each
-- seals tickets for half a day from starts_at on and opens them for as long again; then it is deleted.
create table ticket_keys (
  id uuid primary key,
  sealed text not null,
  starts_at timestamptz not null,
  created_at timestamptz not null
);

alter table ticket_keys enable row level security;
alter table ticket_keys force row level security;
create policy edge on ticket_keys to mooring_edge using (true) with check (true);
create policy operator on ticket_keys to mooring_operator using (true) with check (true);
grant select, insert, delete on ticket_keys to mooring_edge;
grant select, insert, update, delete on ticket_keys to mooring_operator;
