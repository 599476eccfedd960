import type { Tx } from "../../db/engine/transaction.ts";
import { insertSignInLink } from "../../db/queries/people/sign-in-links.ts";
import type { Role } from "../../domain/people/role.ts";
import { hashOwnSecret, newSecret } from "../../domain/people/session.ts";
import type { Runtime } from "../runtime.ts";

/** A link of the command line is used at once; an invitation waits for a person to read it. */
export const operatorLinkMs = 15 * 60_000;
export const invitationMs = 3 * 86_400_000;

export interface NewLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Whom a link signs in; without a tenant, an operator. */
export interface LinkFor {
  readonly tenantId: string | null;
  readonly memberId: string | null;
  readonly role: Role | null;
}

/** A link that signs in once. Its token is in the URL and nowhere else. */
export async function writeLink(
  runtime: Pick<Runtime, "clock" | "config">,
  tx: Tx,
  whom: LinkFor,
  lifetimeMs: number,
): Promise<NewLink> {
  const token = newSecret();
  const createdAt = runtime.clock.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  await insertSignInLink(tx, { tokenHash: hashOwnSecret(token), ...whom, createdAt, expiresAt });
  return { url: `${runtime.config.baseUrl}/console/link/${token}`, expiresAt };
}
