import type { Tx } from "../../db/engine/transaction.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import type { Tenant } from "../../db/queries/operator/tenants.ts";
import { insertMember, selectMemberByEmail } from "../../db/queries/people/members.ts";
import { setTenantDomain } from "../../db/queries/people/sign-in-attempts.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { type Member, normalizedEmail } from "../../domain/people/member.ts";
import type { Role } from "../../domain/people/role.ts";
import { type NewLink, operatorLinkMs, writeLink } from "../people/links.ts";
import type { Runtime } from "../runtime.ts";
import { requireNotDeleted, requireTenant } from "./tenants.ts";

export interface ConsoleLinkRequest {
  /** Id or name. */
  readonly tenant: string;
  /** Of a session without a member, or of a member who is made by this. */
  readonly role: Role | null;
  /** Binds the link to the member with this address, who is made when there is none. */
  readonly email: string | null;
}

export interface ConsoleLink extends NewLink {
  readonly tenant: Tenant | null;
  readonly role: Role | null;
  readonly member: Member | null;
}

/** A link that signs in to the console of one tenant, once, within a quarter of an hour. */
export async function createConsoleLink(
  runtime: Runtime,
  request: ConsoleLinkRequest,
): Promise<ConsoleLink> {
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, request.tenant);
    requireNotDeleted(tenant);
    const member = await findMember(runtime, tx, tenant, request);
    const role = member?.role ?? request.role;
    if (role === null)
      throw new AppError("invalid", "say which role the link gives, or whose it is");
    const whom = { tenantId: tenant.id, memberId: member?.id ?? null, role };
    const link = await writeLink(runtime, tx, whom, operatorLinkMs);
    await insertAudit(tx, {
      tenantId: tenant.id,
      environment: null,
      at: runtime.clock.now(),
      actor: "operator",
      action: "console_link.create",
      subject: `console_link:${member?.id ?? role}`,
      details: { role, email: member?.email ?? null },
    });
    return { ...link, tenant, role, member };
  });
}

/** A link that signs in to the read-only view over all tenants. */
export async function createOperatorLink(runtime: Runtime): Promise<ConsoleLink> {
  const whom = { tenantId: null, memberId: null, role: null };
  const link = await runtime.transaction((tx) => writeLink(runtime, tx, whom, operatorLinkMs));
  return { ...link, tenant: null, role: null, member: null };
}

async function findMember(
  runtime: Runtime,
  tx: Tx,
  tenant: Tenant,
  request: ConsoleLinkRequest,
): Promise<Member | null> {
  if (request.email === null) return null;
  const email = normalizedEmail(request.email);
  const found = await selectMemberByEmail(tx, tenant.id, email);
  if (found && request.role !== null && request.role !== found.role) {
    throw new AppError(
      "conflict",
      `${email} is ${found.role} of ${tenant.name}, not ${request.role}`,
    );
  }
  if (found) return found;
  if (request.role === null) {
    throw new AppError(
      "not_found",
      `${tenant.name} has no member ${email}; with a role one is made`,
    );
  }
  const now = runtime.clock.now();
  const member: Member = {
    id: newId(now),
    email,
    name: null,
    role: request.role,
    createdAt: now,
    lastSeenAt: null,
  };
  await insertMember(tx, tenant.id, member);
  await insertAudit(tx, {
    tenantId: tenant.id,
    environment: null,
    at: now,
    actor: "operator",
    action: "member.invite",
    subject: `member:${member.id}`,
    details: { email, role: member.role },
  });
  return member;
}

/**
 * Whose verified address of this domain makes them a member at their first sign-in; null: nobody's.
 */
export async function setConsoleDomain(
  runtime: Runtime,
  idOrName: string,
  domain: string,
  role: Role | null,
): Promise<Tenant> {
  const name = domain.trim().toLowerCase();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) {
    throw new AppError("invalid", `${domain} is not a domain`);
  }
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, idOrName);
    const now = runtime.clock.now();
    await setTenantDomain(tx, tenant.id, name, role, now);
    await insertAudit(tx, {
      tenantId: tenant.id,
      environment: null,
      at: now,
      actor: "operator",
      action: "tenant.set_domain",
      subject: `tenant:${tenant.id}`,
      details: { domain: name, role },
    });
    return tenant;
  });
}
