-- A known value sealed under each root key in use: a process that cannot open every one of them has
-- the wrong SECRET_KEY and does not start. One row, and two while a rotation is under way.
create table key_check (
  key_id text primary key,
  sealed text not null,
  created_at timestamptz not null
);

grant select, insert on key_check to mooring_api, mooring_worker, mooring_edge, mooring_operator;
grant delete on key_check to mooring_operator;
