import { type Environment, type Scope, scopes } from "../tenancy.ts";
import type { Role } from "./role.ts";

/** The least role for something, which may differ between the environments. */
export type LeastRole = Role | Readonly<Record<Environment, Role>>;

export function leastRole(least: LeastRole, environment: Environment): Role {
  return typeof least === "string" ? least : least[environment];
}

const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  admin: scopes,
  developer: scopes,
  support: ["connections:read", "usage:read"],
  viewer: ["connections:read", "usage:read"],
};

/** The scopes that a role can hand on to a key. */
export function roleScopes(role: Role): readonly Scope[] {
  return scopesByRole[role];
}
