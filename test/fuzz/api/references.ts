import { idFields, type World } from "@mooring/testing/control/world";

/** The tenants of a round: two act, the third only watches. */
export const tenants = ["acting", "other", "watching"] as const;

export const sides = ["test", "live"] as const;

/** End customers of the acting tenant in the test environment. */
export const customerNames = ["alice", "bob"] as const;

/** The worlds of a round by `tenant.side`. */
export type Worlds = ReadonlyMap<string, World & { readonly canary: string }>;

/** What the last segment of a reference can be, by the name of the field it stands in. */
const fieldsByName: Readonly<Record<string, readonly (keyof World)[]>> = {
  id: ["connectionId", "applicationId", "endpointId"],
  application_id: ["applicationId"],
  keyId: ["keyId"],
  credential_id: ["credentialId"],
  credentialId: ["credentialId"],
  deliveryId: ["deliveryId"],
  batch_id: ["connectionId"],
  hostname: ["hostname"],
  hostnames: ["hostname"],
  domain: ["hostname", "zone"],
  zone: ["zone"],
};

const absentId = "01890000-0000-7000-8000-000000000000";

/**
 * References to what is the caller's and what is not; empty for a field that holds no such thing.
 */
export function referencesFor(name: string): readonly string[] {
  const fields = fieldsByName[name] ?? [];
  const all = tenants.flatMap((tenant) =>
    sides.flatMap((side) => fields.map((field) => `@${tenant}.${side}.${field}`)),
  );
  if (fields.includes("connectionId")) {
    all.push(...customerNames.map((customer) => `@acting.test.${customer}.connectionId`));
  }
  const own = fields.map((field) => `@own.${field}`);
  const isId = fields.some((field) => idFields.some((id) => id === field));
  return fields.length === 0 ? [] : [...own, ...own, ...own, ...all, ...(isId ? [absentId] : [])];
}

/** The value with every reference in it replaced. */
export function resolved(value: unknown, own: World & { canary: string }, worlds: Worlds): unknown {
  if (typeof value === "string") return resolvedText(value, own, worlds);
  if (Array.isArray(value)) return value.map((one) => resolved(one, own, worlds));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, resolved(one, own, worlds)]),
  );
}

function resolvedText(text: string, own: World & { canary: string }, worlds: Worlds): string {
  if (text === "@canary") return own.canary;
  const match = /^@(?:own|(\w+\.\w+(?:\.\w+)?))\.(\w+)$/.exec(text);
  if (match === null) return text;
  const world = match[1] === undefined ? own : worlds.get(match[1]);
  const value = world?.[match[2] as keyof World];
  return value ?? text;
}
