-- Where the CNAME of each connection points to: a name below the edge's that belongs to one customer and hostname.

-- A label is never given to anybody else, nor removed while its tenant is there: it may still be in a customer's zone.
create table targets (
  label text primary key check (length(label) between 26 and 63),
  tenant_id uuid not null,
  environment text not null check (environment in ('test', 'live')),
  application_id uuid not null,
  customer_ref text,
  hostname text not null,
  created_at timestamptz not null,
  foreign key (application_id, tenant_id, environment) references applications (id, tenant_id, environment)
);
create index targets_owner on targets (hostname, application_id, customer_ref, created_at desc);
create index targets_tenant on targets (tenant_id);

alter table targets enable row level security;
alter table targets force row level security;
create policy tenant on targets to mooring_api
  using (tenant_id = (select app_tenant()) and environment = (select app_environment()))
  with check (tenant_id = (select app_tenant()) and environment = (select app_environment()));
create policy worker on targets to mooring_worker using (true) with check (true);
create policy operator on targets to mooring_operator using (true) with check (true);
grant select, insert on targets to mooring_api;
grant update (customer_ref) on targets to mooring_api;
grant select, insert, delete on targets to mooring_worker;
grant select, insert, update, delete on targets to mooring_operator;

alter table connections
  add column target_label text,
  -- Whether its records name the target; those from before the target was there name the edge.
  add column points_to_target boolean not null default false,
  -- By what ownership was last proven, and when; null until then.
  add column ownership_method text
    check (ownership_method in ('txt', 'cname', 'delegation', 'import', 'trust_dns')),
  add column ownership_proven_at timestamptz;

-- What may prove the ownership of a hostname.
alter table applications
  add column proofs text[] not null default '{txt,cname,delegation}'
    check (cardinality(proofs) > 0 and proofs <@ '{txt,cname,delegation}');

-- Names that were proven before there was the column: by their TXT record, or by DNS that an operator trusted. Each
-- piece is a transaction.
create procedure fill_ownership()
  language plpgsql
  as $$
declare
  piece_size constant int := 1000;
  last text := '';
  piece text[];
begin
  loop
    piece := array(select c.hostname from public.claims c where c.hostname > last order by c.hostname limit piece_size);
    exit when cardinality(piece) = 0;
    last := piece[cardinality(piece)];
    update only public.connections k
      set ownership_proven_at = c.claimed_at,
          ownership_method = case when exists (select from public.audit_log a
            where a.tenant_id = k.tenant_id and a.subject = 'connection:' || k.id
              and a.details ->> 'ownership' = 'trusted_dns') then 'trust_dns' else 'txt' end
      from public.claims c
      where c.hostname = any (piece) and k.id = c.connection_id and k.ownership_method is null;
    commit;
  end loop;
end $$;
revoke execute on procedure fill_ownership() from public;
