import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Actor } from "../../domain/tenancy.ts";

/** The tenant's own id of its customer. Opaque: never trimmed, compared byte for byte. */
export const CustomerRef = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, {
    error: "expected 1 to 200 characters, none of them a control character",
  })
  // As validators without Unicode properties read it. They count code points, as we do.
  .meta({ minLength: 1, maxLength: 200, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$" });

/**
 * Whose a new connection is. A key or a member says it in the request. A widget token carries it:
 * its browser can neither choose nor change it.
 */
export function requireOwnCustomer(actor: Actor, named: string | null | undefined): string | null {
  if (actor.kind !== "widget") return named ?? null;
  if (named !== undefined && named !== null && named !== actor.customerRef) {
    throw new AppError("forbidden", "this token does not act for that customer");
  }
  return actor.customerRef;
}
