-- PowerDNS instead of our own name server: what its gpgsql backend reads, as views over the same rows. The
-- zone and its servers are settings of the login's session, as they are of our processes.

do $$
begin
  begin
    create role mooring_powerdns nologin nosuperuser nobypassrls;
  exception when duplicate_object or unique_violation then
    null; -- roles belong to the whole server; another database of it has made them
  end;
  begin
    grant mooring_powerdns to current_user;
  exception when unique_violation then
    null; -- the same grant, made by a parallel migration of another database
  end;
end
$$;
grant usage on schema public to mooring_powerdns;
grant select on validation_changes to mooring_definer;

-- The label of a name of the zone: empty at the apex, null outside.
create function pdns_label(name text) returns text language sql stable
  as $$ select case
          when name = current_setting('mooring.validation_zone', true) then ''
          when name like '%.' || current_setting('mooring.validation_zone', true)
            then left(name, -1 - length(current_setting('mooring.validation_zone', true)))
        end $$;

create view pdns_domains as
  select 1 as id, current_setting('mooring.validation_zone', true) as name, null::text as master,
    null::int as last_check, 'NATIVE' as type, null::int as notified_serial, null::text as options,
    null::text as catalog, ''::text as account
  where current_setting('mooring.validation_zone', true) <> '';

-- Read by label, not by name: the label has an index. A row without a type says that the name exists.
create view pdns_records as
  select z.id as domain_id, r.label,
    case r.label when '' then z.name else r.label || '.' || z.name end as name,
    r.type, r.content, r.ttl, 0 as prio, false as disabled, null::text as ordername, true as auth
  from pdns_domains z cross join (
    select '' as label, 'SOA' as type, 3600 as ttl,
      format('%s hostmaster.%s %s 3600 600 86400 5',
        split_part(current_setting('mooring.validation_ns', true), ',', 1),
        current_setting('mooring.validation_zone', true),
        (select coalesce(max(c.id), 0) + 1 from validation_changes c)) as content
    union all
    select '', 'NS', 3600, trim(server)
    from unnest(string_to_array(current_setting('mooring.validation_ns', true), ',')) server
    union all
    select v.label, 'TXT', 1, '"' || replace(replace(v.value, '\', '\\'), '"', '\"') || '"'
    from validation_values v where v.expires_at > now() group by v.label, v.value
    union all
    select k.validation_label, null, 1, null from connections k
    where k.validation_label is not null
      and exists (select from claims c where c.connection_id = k.id)
      and not exists (select from validation_values v
                      where v.label = k.validation_label and v.expires_at > now())
    group by k.validation_label
  ) r;

create view pdns_domainmetadata as select 1 as domain_id, ''::text as kind, ''::text as content where false;
create view pdns_tsigkeys as select ''::text as name, ''::text as algorithm, ''::text as secret where false;

alter function pdns_label(text) owner to mooring_definer;
revoke execute on function pdns_label(text) from public;
grant execute on function pdns_label(text) to mooring_powerdns;
alter view pdns_domains owner to mooring_definer;
alter view pdns_records owner to mooring_definer;
alter view pdns_domainmetadata owner to mooring_definer;
alter view pdns_tsigkeys owner to mooring_definer;
grant select on pdns_domains, pdns_records, pdns_domainmetadata, pdns_tsigkeys to mooring_powerdns;
