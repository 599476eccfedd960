import type pg from "pg";
import { allCertificates, certificatesNamed } from "../db/certificate-changes.ts";
import { allHosts, applicationsById, hostsNamed } from "../db/hosts.ts";
import { applicationSubject, certificateSubject, hostSubject } from "../feed/nats/subjects.ts";
import type { Host } from "../hosts/host.ts";
import { type HostLine, readHostLine } from "../hosts/host-line.ts";

export type Written = readonly [subject: string, value: unknown];

/** Names or applications in one statement. */
const namesPerRead = 500;
const applicationsPerRead = 50;

/** The values of hosts as they are now, an application before its first host. */
export interface HostValues {
  named(names: readonly string[]): AsyncGenerator<readonly Written[]>;
  applications(ids: readonly string[]): AsyncGenerator<readonly Written[]>;
  all(): AsyncGenerator<readonly Written[]>;
}

/** `written` grows by the applications that a value was made of. */
export function hostValues(pool: pg.Pool, written: Set<string>): HostValues {
  const ofApplications = async (ids: readonly string[]): Promise<Written[]> => {
    const found = await applicationsById(pool, ids);
    for (const id of ids) written.add(id);
    return found.map((stored) => [applicationSubject(stored.id), stored] as const);
  };
  const missing = (hosts: readonly Host[]): string[] => {
    const ids = new Set(hosts.map(({ applicationId }) => applicationId));
    return [...ids].filter((id) => !written.has(id));
  };
  async function* withApplications(lines: readonly HostLine[]): AsyncGenerator<readonly Written[]> {
    const hosts = lines.map(readHostLine);
    for (const ids of pieces(missing(hosts), applicationsPerRead)) yield await ofApplications(ids);
    yield hosts.map((host) => [hostSubject(host.hostname), host] as const);
  }
  return {
    async *named(names) {
      for (const piece of pieces(names, namesPerRead)) {
        const found = await hostsNamed(pool, piece);
        yield* withApplications(found);
        const claimed = new Set(found.map(({ hostname }) => hostname));
        const gone = piece.filter((name) => !claimed.has(name));
        yield gone.map((name) => [hostSubject(name), null] as const);
      }
    },
    async *applications(ids) {
      for (const piece of pieces(ids, applicationsPerRead)) yield await ofApplications(piece);
    },
    async *all() {
      for await (const page of allHosts(pool)) yield* withApplications(page);
    },
  };
}

/** The certificates of these names as they are now. */
export async function* certificateValues(
  pool: pg.Pool,
  names: readonly string[],
): AsyncGenerator<readonly Written[]> {
  for (const piece of pieces(names, namesPerRead)) {
    const found = await certificatesNamed(pool, piece);
    const byName = new Map(found.map((one) => [one.hostname, one]));
    yield piece.map((name) => [certificateSubject(name), byName.get(name) ?? null] as const);
  }
}

export async function* allCertificateValues(pool: pg.Pool): AsyncGenerator<readonly Written[]> {
  for await (const page of allCertificates(pool)) {
    yield page.map((one) => [certificateSubject(one.hostname), one] as const);
  }
}

function* pieces<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
