import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Host } from "../../../edge/src/hosts/host.ts";

export const tenants = 20;

function makeId(kind: "a" | "b", number: number): string {
  return `00000000-0000-7000-8000-${kind}${String(number).padStart(11, "0")}`;
}

/** Twenty tenants with an application each, for runs with many names. */
export async function makeTenants(admin: pg.Client): Promise<void> {
  const numbers = Array.from({ length: tenants }, (_, index) => index);
  await admin.query(
    `insert into tenants (id, name, plan, created_at)
     select id, 'T', 'free', now() from unnest($1::uuid[]) t (id)`,
    [numbers.map((number) => makeId("a", number))],
  );
  await admin.query(
    `insert into applications (id, tenant_id, environment, name, origin_url, created_at)
     select id, tenant, 'live', 'Shop', 'http://127.0.0.1:3000', now()
     from unnest($1::uuid[], $2::uuid[]) a (id, tenant)`,
    [numbers.map((number) => makeId("b", number)), numbers.map((number) => makeId("a", number))],
  );
}

/**
 * Claims names, by default spread over the tenants, each below a separate domain, all without a
 * certificate.
 */
export async function claimMany(
  admin: pg.Client,
  names: readonly string[],
  at: Date,
  chooseTenant: (index: number) => number = (index) => index % tenants,
): Promise<Host[]> {
  const hosts = names.map((hostname, index) => ({
    hostname,
    environment: "live" as const,
    connectionId: randomUUID(),
    applicationId: makeId("b", chooseTenant(index)),
    tenantId: makeId("a", chooseTenant(index)),
    registrableDomain: hostname.split(".").slice(-2).join("."),
    own: null,
  }));
  const columns = [
    hosts.map((host) => host.connectionId),
    hosts.map((host) => host.hostname),
    hosts.map((host) => host.tenantId),
    hosts.map((host) => host.applicationId),
    hosts.map((host) => host.registrableDomain),
  ];
  await admin.query(
    `insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain,
       kind, setup_type, state, challenge, may_use_credentials, desired_records, phase_started_at, created_at)
     select id, tenant, 'live', application, hostname, domain, 'subdomain', 'manual', 'issuing_cert',
       'service-verify=x', true, '[]', $6, $6
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[])
       n (id, hostname, tenant, application, domain)`,
    [...columns, at],
  );
  const { rows } = await admin.query<{ hostname: string; epoch: string }>(
    `insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
     select hostname, id, tenant, 'live', nextval('claim_epochs'), $4
     from unnest($1::uuid[], $2::text[], $3::uuid[]) n (id, hostname, tenant) returning hostname, epoch`,
    [...columns.slice(0, 3), at],
  );
  await admin.query(
    `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status,
       registrable_domain, due_at, created_at)
     select c.hostname, c.connection_id, c.tenant_id, 'live', c.epoch, 'pending', n.domain, $3, $3
     from claims c join unnest($1::text[], $2::text[]) n (hostname, domain) on n.hostname = c.hostname`,
    [columns[1], columns[4], at],
  );
  const epochs = new Map(rows.map((row) => [row.hostname, Number(row.epoch)]));
  return hosts.map((host) => ({ ...host, epoch: epochs.get(host.hostname) ?? 0 }));
}
