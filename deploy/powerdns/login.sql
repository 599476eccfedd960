-- The login of PowerDNS: it reads the views of the validation zone and nothing else. Run it once as the
-- database's owner, with a password of your own:
--   psql "$DATABASE_URL" -v password="'…'" -f login.sql
create role mooring_powerdns_login login nosuperuser nobypassrls nocreatedb nocreaterole
  connection limit 20 password :password;
grant mooring_powerdns to mooring_powerdns_login;
