/** What a member of a tenant may do; each role may do all that those after it may. */
export const roles = ["owner", "admin", "developer", "support", "viewer"] as const;
export type Role = (typeof roles)[number];

export function isRole(value: string): value is Role {
  return (roles as readonly string[]).includes(value);
}

/** Whether a role may do what needs at least the other. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least);
}
