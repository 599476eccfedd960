import { promises as dns } from "node:dns";

const timeoutMs = 2_000;
const absentCodes = ["ENODATA", "ENOTFOUND"];

/** Asks these resolvers, or the system's, once. */
export function resolverOf(servers: readonly string[]): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

/** An empty list when the name has none of it; null when nobody answered. */
export async function answersOf<T>(question: Promise<readonly T[]>): Promise<readonly T[] | null> {
  try {
    return await question;
  } catch (error) {
    return isAbsent(error) ? [] : null;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && absentCodes.includes(String(error.code));
}
