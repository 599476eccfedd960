-- Delegated validation: a name of ours per connection that its customer points a CNAME at, and the values
-- that the zone's name servers show there while an order is under way.

do $$
begin
  begin
    create role mooring_dns nologin nosuperuser nobypassrls;
  exception when duplicate_object or unique_violation then
    null; -- roles belong to the whole server; another database of it has made them
  end;
  begin
    grant mooring_dns to current_user;
  exception when unique_violation then
    null; -- the same grant, made by a parallel migration of another database
  end;
end
$$;
grant usage on schema public to mooring_dns;
grant select on schema_migrations to mooring_dns;

alter table connections
  -- The first label of the validation name; connections of an earlier release get one with their next check.
  add column validation_label text,
  -- Whether the customer's CNAME leads there, as the last check saw it.
  add column validation_status text,
  -- The move of a name that serves visitors elsewhere; null for every other connection.
  add column cutover jsonb;
alter table connections add constraint connections_validation_status_check
  check (validation_status in ('absent', 'right', 'wrong')) not valid;
alter table applications add column wildcards boolean not null default true;

-- What is public now. A value goes with the claim that it was published for, in the same transaction.
create table validation_values (
  hostname text not null references claims (hostname) on delete cascade,
  label text not null,
  value text not null check (length(value) between 1 and 255),
  expires_at timestamptz not null,
  primary key (hostname, value)
);
create index validation_values_label on validation_values (label);
create index validation_values_expiry on validation_values (expires_at);

-- Labels whose state may have changed. Read again by a name server that missed a notification; swept when old.
create table validation_changes (
  id bigint generated always as identity primary key,
  label text not null
);

grant select, delete on validation_values to mooring_edge;
grant select, delete on validation_values, validation_changes to mooring_worker;
grant select on validation_changes to mooring_dns;
grant select, insert, update, delete on validation_values, validation_changes to mooring_operator;
grant select, insert, update on validation_values to mooring_definer;
grant insert on validation_changes to mooring_definer;

-- The names of held claims with their values: all after a label, or those named.
create function validation_names(after_label text, at_most int, labels text[], moment timestamptz)
  returns table (label text, published text[])
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.validation_label,
          array(select distinct v.value from public.validation_values v
                where v.label = k.validation_label and v.expires_at > moment order by v.value)
        from public.connections k
        where k.validation_label > after_label and (labels is null or k.validation_label = any (labels))
          and exists (select from public.claims c where c.connection_id = k.id)
        group by k.validation_label
        order by k.validation_label limit at_most $$;

-- The validation label of a hostname that is held.
create function validation_label_of(name text) returns text
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select k.validation_label from public.claims c
        join public.connections k on k.id = c.connection_id where c.hostname = name $$;

-- Publishes a value while the claim is held, and answers the label at which it shows; null otherwise.
create function publish_validation(name text, claim_epoch bigint, txt text, until timestamptz) returns text
  language sql security definer set search_path = pg_catalog, public
  as $$ insert into public.validation_values as v (hostname, label, value, expires_at)
        select c.hostname, k.validation_label, txt, until from public.claims c
        join public.connections k on k.id = c.connection_id
        where c.hostname = name and c.epoch = claim_epoch and k.validation_label is not null
        on conflict (hostname, value) do update
          set label = excluded.label, expires_at = greatest(v.expires_at, excluded.expires_at)
        returning label $$;

-- The notification is sent at commit, so that whoever hears it sees the change.
create function note_validation_label(changed text) returns void
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          if changed is null then return; end if;
          insert into public.validation_changes (label) values (changed);
          perform pg_notify('mooring_validation', changed);
        end $$;
create function note_validation_value() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          perform public.note_validation_label(coalesce(new.label, old.label));
          return null;
        end $$;
create function note_validation_claim() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          perform public.note_validation_label(
            (select k.validation_label from public.connections k
             where k.id = coalesce(new.connection_id, old.connection_id)));
          return null;
        end $$;
create function note_validation_name() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$ begin
          perform public.note_validation_label(old.validation_label);
          perform public.note_validation_label(new.validation_label);
          return null;
        end $$;

do $$
declare
  f text;
begin
  foreach f in array array['validation_names(text, int, text[], timestamptz)', 'validation_label_of(text)',
    'publish_validation(text, bigint, text, timestamptz)', 'note_validation_label(text)',
    'note_validation_value()', 'note_validation_claim()', 'note_validation_name()']
  loop
    execute format('alter function %s owner to mooring_definer', f);
    execute format('revoke execute on function %s from public', f);
  end loop;
end
$$;
grant execute on function validation_names(text, int, text[], timestamptz) to mooring_dns;
grant execute on function validation_label_of(text),
  publish_validation(text, bigint, text, timestamptz) to mooring_edge;

create trigger validation_value after insert or update or delete on validation_values
  for each row execute function note_validation_value();
create trigger validation_claim after insert or delete on claims
  for each row execute function note_validation_claim();
create trigger validation_name after update of validation_label on connections
  for each row when (old.validation_label is distinct from new.validation_label)
  execute function note_validation_name();
