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

/** The items of a list with the end of their domain's registration; one read for all of them. */
export async function withRegistrationEnds<T extends ListedConnection>(
  runtime: Pick<Runtime, "config" | "registrations" | "clock">,
  items: readonly T[],
): Promise<T[]> {
  return Promise.all(
    items.map(async (item) => {
      const isOpen = item.state !== "archived";
      const registration = isOpen ? await readRegistration(runtime, item.hostname) : null;
      return { ...item, registrationEndsAt: registration?.expiresAt ?? null };
    }),
  );
}
