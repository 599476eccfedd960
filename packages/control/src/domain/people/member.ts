import type { Role } from "./role.ts";

/** A person of a tenant, who signs in to the console. */
export interface Member {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
}

export interface ListedMember extends Member {
  /** Until when a link waits for them; null without one. */
  readonly invitedUntil: Date | null;
}

/** Addresses are compared without case: nobody is a member twice. */
export function normalizedEmail(text: string): string {
  return text.trim().toLowerCase();
}
