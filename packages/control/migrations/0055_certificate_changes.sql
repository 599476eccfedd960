-- Which certificates have changed, for a relay that passes them on to edges without the database. As with the hosts'
-- log: read again with an overlap, and swept when old.
create table certificate_changes (
  id bigint generated always as identity primary key,
  hostname text not null
);
alter table certificate_changes enable row level security;
create policy edge on certificate_changes for select to mooring_edge using (true);
create policy worker on certificate_changes to mooring_worker using (true) with check (true);
create policy operator on certificate_changes to mooring_operator using (true) with check (true);
create policy definer on certificate_changes for insert to mooring_definer with check (true);
grant select on certificate_changes to mooring_edge;
grant select, delete on certificate_changes to mooring_worker;
grant select, insert, update, delete on certificate_changes to mooring_operator;
grant insert on certificate_changes to mooring_definer;

create function note_certificate_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          insert into public.certificate_changes (hostname) values (coalesce(new.hostname, old.hostname));
          return null;
        end $$;
alter function note_certificate_change() owner to mooring_definer;
revoke execute on function note_certificate_change() from public;

-- What is served, not the work on it: a lease, an attempt or a failure is no change.
create trigger certificate_change after update of epoch, chain, sealed_key, not_after on certificates
  for each row when ((old.epoch, old.chain, old.sealed_key, old.not_after)
    is distinct from (new.epoch, new.chain, new.sealed_key, new.not_after)
    and (old.chain is not null or new.chain is not null))
  execute function note_certificate_change();
create trigger certificate_stored after insert on certificates
  for each row when (new.chain is not null) execute function note_certificate_change();
create trigger certificate_dropped after delete on certificates
  for each row when (old.chain is not null) execute function note_certificate_change();
