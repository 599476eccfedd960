-- Orders wait for the limits of their CA, and waiting names are served round robin between tenants.

alter table issuance_budget
  -- Until then the CA takes nothing that this row limits: it said so, or it did not answer.
  add column held_until timestamptz,
  add column held_for text check (held_for in ('ca_rate_limited', 'ca_unavailable')),
  -- Attempts in a row that the CA did not answer.
  add column outages int not null default 0,
  -- Of a CA's orders the turn that was served last, of a tenant there its next one.
  add column turn bigint not null default 0;

alter table certificates
  -- The row of the budget that the name waits for, and its turn there.
  add column waits_for text,
  add column turn bigint,
  -- The CA that CAA allows, when it is not the first one.
  add column preferred_issuer text;
create index certificates_waiting on certificates (waits_for, turn, hostname) where waits_for is not null;
-- The names without a certificate are claimed round robin between tenants.
create index certificates_first_due on certificates (tenant_id, due_at)
  where chain is null and due_at is not null;

-- CAA may name the account (RFC 8657 §3).
grant select (directory, url) on acme_accounts to mooring_api, mooring_worker;
