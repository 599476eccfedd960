import { sql } from "kysely";
import type { Environment } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";

/** A served name and the times of its certificate; nothing of its key. */
export interface DrillName {
  readonly hostname: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly connectionId: string;
  readonly environment: Environment;
  readonly registrableDomain: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly renewAt: Date;
}

/**
 * The names with a valid certificate that we renew, in the order of their ids, and how many there
 * are in all.
 */
export async function selectDrillNames(
  tx: Tx,
  limit: number,
  now: Date,
): Promise<{ readonly names: readonly DrillName[]; readonly total: number }> {
  const { rows } = await sql<DrillName & { readonly total: number }>`
    select s.hostname, c.tenant_id as "tenantId", c.application_id as "applicationId", c.id as "connectionId",
      s.environment, c.registrable_domain as "registrableDomain", s.not_before as "notBefore",
      s.not_after as "notAfter", coalesce(s.renew_at, s.due_at) as "renewAt", count(*) over () as total
    from certificates s join only connections c on c.id = s.connection_id
    where s.source = 'automatic' and s.chain is not null and s.not_after > ${now}
      and s.not_before is not null and coalesce(s.renew_at, s.due_at) is not null
    order by s.hostname limit ${limit}`.execute(tx);
  return { names: rows.map(({ total: _, ...name }) => name), total: rows[0]?.total ?? 0 };
}

/** A drill's own names in a new database. The number of a row is the epoch of its claim. */
export async function insertDrillNames(
  tx: Tx,
  names: readonly DrillName[],
  rest: { readonly issuer: string; readonly chains: readonly string[]; readonly now: Date },
): Promise<void> {
  const { issuer, chains, now } = rest;
  const list = sql`unnest(${names.map((name) => name.hostname)}::text[],
      ${names.map((name) => name.tenantId)}::uuid[], ${names.map((name) => name.applicationId)}::uuid[],
      ${names.map((name) => name.connectionId)}::uuid[], ${names.map((name) => name.environment)}::text[],
      ${names.map((name) => name.registrableDomain)}::text[],
      ${names.map((name) => name.notBefore)}::timestamptz[],
      ${names.map((name) => name.notAfter)}::timestamptz[],
      ${names.map((name) => name.renewAt)}::timestamptz[], ${chains}::text[])
    with ordinality as n (hostname, tenant, application, connection, environment, domain, not_before,
      not_after, renew_at, chain, number)`;
  await sql`insert into tenants (id, name, plan, created_at)
    select distinct tenant, 'drill', 'self_hosted', ${now}::timestamptz from ${list}`.execute(tx);
  await sql`insert into applications (id, tenant_id, environment, name, created_at)
    select distinct on (application) application, tenant, environment, 'drill', ${now}::timestamptz
    from ${list}`.execute(tx);
  await sql`insert into connections (id, tenant_id, environment, application_id, hostname,
      registrable_domain, kind, setup_type, state, challenge, may_use_credentials, desired_records,
      phase_started_at, created_at)
    select connection, tenant, environment, application, hostname, domain, 'subdomain', 'manual', 'live',
      'service-verify=drill', false, '[]', ${now}, ${now} from ${list}`.execute(tx);
  await sql`insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
    select hostname, connection, tenant, environment, number, ${now} from ${list}`.execute(tx);
  // A CA is asked for renewal information every six hours: the first questions are spread over
  // them.
  await sql`insert into certificates (hostname, connection_id, tenant_id, environment, epoch,
      registrable_domain, status, issuer, ca, chain, sealed_key, fingerprint, issue_id, not_before,
      not_after, issued_at, renew_at, due_at, ari_due_at, created_at)
    select hostname, connection, tenant, environment, number, domain, 'issued', ${issuer}, 'Drill CA', chain,
      'drill', 'drill', gen_random_uuid(), not_before, not_after, not_before, renew_at, renew_at,
      ${now}::timestamptz + random() * interval '6 hours', ${now} from ${list}`.execute(tx);
}
