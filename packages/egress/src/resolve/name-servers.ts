import { Resolver as AresResolver, type RecordWithTtl } from "node:dns";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { EgressError } from "../egress-error.ts";
import { createPacer } from "./pacer.ts";

/** What the name servers say about one absolute name. */
export type NameAnswer =
  | { readonly kind: "found"; readonly addresses: readonly string[]; readonly ttlMs: number }
  | { readonly kind: "absent" };

/** Asks for one absolute name; rejects when no server answers or one reports a failure. */
export type NameServers = (name: string) => Promise<NameAnswer>;

const attemptMs = 1_000;
const longestAttemptMs = 2_000;
const attempts = 3;
/** How long one family may be awaited after the other has been answered. */
const otherFamilyMs = 1_000;
/** c-ares reports all questions that ran out of time at one moment, and a request hangs on each. */
const paceFailures = createPacer(4);

/**
 * Asks with c-ares, which needs no thread: a silent name costs a timer and not one of the four
 * threads of `dns.lookup`. `servers` are `ip[:port]`; none for those of the system.
 */
export function createNameServers(servers: readonly string[]): NameServers {
  const ares = new AresResolver({
    timeout: attemptMs,
    maxTimeout: longestAttemptMs,
    tries: attempts,
  });
  if (servers.length > 0) ares.setServers([...servers]);
  return async (name) => {
    const families = isIPv6Routed()
      ? [askFamily(ares, name, 6), askFamily(ares, name, 4)]
      : [askFamily(ares, name, 4), askFamily(ares, name, 6)];
    return combine(await Promise.all(families.map((each) => withinTime(each, families))));
  };
}

type FamilyAnswer =
  | NameAnswer
  | { readonly kind: "no_such_name" }
  | { readonly kind: "failed"; readonly error: unknown };

async function askFamily(ares: AresResolver, name: string, family: 4 | 6): Promise<FamilyAnswer> {
  try {
    const found = await new Promise<RecordWithTtl[]>((resolve, reject) => {
      const onReply = (error: Error | null, records: RecordWithTtl[]): void => {
        if (error === null) resolve(records);
        else void paceFailures().then(() => reject(error));
      };
      if (family === 4) ares.resolve4(name, { ttl: true }, onReply);
      else ares.resolve6(name, { ttl: true }, onReply);
    });
    if (found.length === 0) return { kind: "absent" };
    const seconds = Math.min(...found.map(({ ttl }) => ttl));
    return {
      kind: "found",
      addresses: found.map(({ address }) => address),
      ttlMs: seconds * 1_000,
    };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOTFOUND") return { kind: "no_such_name" };
    return code === "ENODATA" ? { kind: "absent" } : { kind: "failed", error };
  }
}

/** One family's answer, or a failure when it is late although another family was found. */
async function withinTime(
  one: Promise<FamilyAnswer>,
  all: readonly Promise<FamilyAnswer>[],
): Promise<FamilyAnswer> {
  const done = new AbortController();
  const late = Promise.race(all.filter((other) => other !== one)).then(
    async (other): Promise<FamilyAnswer> => {
      if (other.kind !== "found") return one;
      await delay(otherFamilyMs, undefined, { signal: done.signal }).catch(() => undefined);
      return { kind: "failed", error: null };
    },
  );
  try {
    return await Promise.race([one, late]);
  } finally {
    done.abort();
  }
}

function combine(answers: readonly FamilyAnswer[]): NameAnswer {
  const found = answers.filter((one) => one.kind === "found");
  if (found.length > 0) {
    return {
      kind: "found",
      addresses: found.flatMap(({ addresses }) => addresses),
      ttlMs: Math.min(...found.map(({ ttlMs }) => ttlMs)),
    };
  }
  // NXDOMAIN is about the name, whatever became of the question for the other family.
  if (answers.some((one) => one.kind === "no_such_name")) return { kind: "absent" };
  const failed = answers.find((one) => one.kind === "failed");
  if (failed === undefined) return { kind: "absent" };
  throw toFailure(failed.error);
}

function toFailure(error: unknown): unknown {
  const isTimeout = error instanceof Error && "code" in error && error.code === "ETIMEOUT";
  return isTimeout ? nameTimeout() : error;
}

export function nameTimeout(): EgressError {
  return new EgressError("timeout", "the name servers of the host did not answer in time");
}

/** RFC 6724: without a global address of our own, IPv4 is the better choice. */
function isIPv6Routed(): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some(({ family, address }) => family === "IPv6" && /^[23]/.test(address));
}
