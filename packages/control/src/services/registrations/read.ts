import type { ListedConnection } from "../../domain/connections/listed-connection.ts";
import {
  isCurrent,
  type Registration,
  registeredDomain,
} from "../../domain/registrations/registration.ts";
import type { Runtime } from "../runtime.ts";

/**
 * What the registry last said of the domain that a connection is below; null without a recent
 * answer, and where RDAP is off. The caller may see the connection.
 */
export async function readRegistration(
  { config, registrations, clock }: Pick<Runtime, "config" | "registrations" | "clock">,
  hostname: string,
): Promise<Registration | null> {
  const domain = config.rdap ? registeredDomain(hostname) : null;
  const found = domain === null ? null : await registrations.load(domain);
  return found !== null && isCurrent(found, clock.now()) ? found : null;
}

/**
 * When the registrations of the connections of a list end, by the connection's id; one read for all
 * of them. Empty where RDAP is off.
 */
export async function readRegistrationEnds(
  runtime: Pick<Runtime, "config" | "registrations" | "clock">,
  items: readonly ListedConnection[],
): Promise<ReadonlyMap<string, Date | null>> {
  if (!runtime.config.rdap) return new Map();
  const open = items.filter(({ state }) => state !== "archived");
  const found = await Promise.all(open.map(({ hostname }) => readRegistration(runtime, hostname)));
  return new Map(open.map(({ id }, index) => [id, found[index]?.expiresAt ?? null]));
}
