import { VaultError } from "@mooring/vault";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import { insertUsedAttempt } from "../../db/queries/people/sign-in-attempts.ts";
import { hashOwnSecret, newSecret } from "../../domain/people/session.ts";
import type { Runtime } from "../runtime.ts";

/** A sign-in that anybody may begin. */
type SealedKind = "oidc" | "passkey";

const Sealed = z.object({
  id: z.string(),
  expiresAt: z.coerce.date(),
  details: z.record(z.string(), z.unknown()),
});

/** What a browser has begun, from its cookie. */
export interface SealedAttempt {
  readonly kind: SealedKind;
  readonly id: string;
  readonly expiresAt: Date;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * The cookie of a sign-in that has begun. It carries all that the end needs, sealed, so that
 * somebody who only begins has nothing stored here.
 */
export function sealAttempt(
  { vault, clock }: Pick<Runtime, "vault" | "clock">,
  kind: SealedKind,
  details: object,
  lifetimeMs: number,
): string {
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
  const text = JSON.stringify({ id: newSecret(), expiresAt, details });
  return vault.seal("sign_in", sealContext(kind), text);
}

/** Null for a cookie that is not ours, is of another kind, or has expired. */
export function openAttempt(
  { vault, clock }: Pick<Runtime, "vault" | "clock">,
  kind: SealedKind,
  cookie: string,
): SealedAttempt | null {
  try {
    const text = vault.open("sign_in", sealContext(kind), cookie).toString();
    const attempt = Sealed.parse(JSON.parse(text));
    return attempt.expiresAt > clock.now() ? { kind, ...attempt } : null;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

/**
 * In the transaction that opens the session: a row exists only for a sign-in that has succeeded,
 * until it would have expired. False when another has used the attempt.
 */
export function useAttempt(tx: Tx, { id, kind, expiresAt }: SealedAttempt): Promise<boolean> {
  return insertUsedAttempt(tx, { tokenHash: hashOwnSecret(id), kind, expiresAt });
}

function sealContext(kind: SealedKind) {
  return { tenant: null, table: "sign_in_attempts", row: kind, column: "details" };
}
