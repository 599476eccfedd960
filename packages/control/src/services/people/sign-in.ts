import type { Tx } from "../../db/engine/transaction.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import { noteMemberSeen } from "../../db/queries/people/members.ts";
import {
  insertSession,
  revokeSessionByHash,
  sweepSignIns,
} from "../../db/queries/people/sessions.ts";
import {
  deleteSignInLink,
  type LinkTarget,
  selectLinkTarget,
} from "../../db/queries/people/sign-in-links.ts";
import { newId } from "../../domain/id.ts";
import type { Role } from "../../domain/people/role.ts";
import {
  hashOwnSecret,
  hashSecret,
  newSecret,
  type SignInMethod,
  sessionLifetimeMs,
} from "../../domain/people/session.ts";
import type { Runtime } from "../runtime.ts";

export type { LinkTarget } from "../../db/queries/people/sign-in-links.ts";

/** Who signs in, and the browser they do it with. */
export interface Browser {
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The secret of the session that it has now, valid or not. */
  readonly heldSecret: string | null;
}

export interface OpenedSession {
  /** For the cookie; only its hash is stored. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/** The person that a sign-in has proved. */
export interface SignedIn {
  readonly tenantId: string | null;
  readonly memberId: string | null;
  /** As the audit log calls them. */
  readonly name: string | null;
  /** Of a session without a member; null for an operator's. */
  readonly role: Role | null;
}

const maxUserAgent = 300;

/**
 * Opens a session with a secret that nobody has seen before, and ends the one that the browser had:
 * a secret that was put there by somebody else never becomes that of a signed-in person.
 */
export async function openSession(
  runtime: Runtime,
  tx: Tx,
  person: SignedIn,
  signedInBy: SignInMethod,
  browser: Browser,
): Promise<OpenedSession> {
  const now = runtime.clock.now();
  const held = browser.heldSecret === null ? null : hashSecret(browser.heldSecret);
  if (held !== null) await revokeSessionByHash(tx, held, now);
  const secret = newSecret();
  const id = newId(now);
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs);
  await insertSession(tx, {
    id,
    tokenHash: hashOwnSecret(secret),
    tenantId: person.tenantId,
    memberId: person.memberId,
    role: person.role,
    signedInBy,
    address: browser.address,
    userAgent: browser.userAgent?.slice(0, maxUserAgent) ?? null,
    createdAt: now,
    expiresAt,
  });
  if (person.memberId !== null) await noteMemberSeen(tx, person.memberId, now);
  if (person.tenantId !== null) {
    await insertAudit(tx, {
      tenantId: person.tenantId,
      environment: null,
      at: now,
      actor: person.memberId === null ? `session:${id}` : `member:${person.memberId}`,
      actorName: person.name,
      requestId: browser.requestId,
      address: browser.address,
      action: "session.create",
      subject: `session:${id}`,
      details: { signed_in_by: signedInBy },
    });
  }
  return { secret, expiresAt };
}

/** Whom a link would sign in. Reading does not use it up; null when it is unknown, used or over. */
export async function readLink(runtime: Runtime, token: string): Promise<LinkTarget | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  return runtime.system((tx) => selectLinkTarget(tx, hash, runtime.clock.now()));
}

/**
 * Uses a link up. Null when it is unknown, used or over; of several at once, one gets the session.
 */
export async function redeemLink(
  runtime: Runtime,
  token: string,
  browser: Browser,
): Promise<OpenedSession | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  return runtime.system(async (tx) => {
    const target = await selectLinkTarget(tx, hash, runtime.clock.now());
    if (target === null || !(await deleteSignInLink(tx, hash))) return null;
    const { tenantId, memberId, memberName: name, role } = target;
    return openSession(runtime, tx, { tenantId, memberId, name, role }, "link", browser);
  });
}

/** Deletes sessions, links and begun sign-ins that ended a day ago or earlier. */
export async function sweepEndedSignIns(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now().getTime() - 86_400_000);
  await runtime.transaction((tx) => sweepSignIns(tx, before));
}
