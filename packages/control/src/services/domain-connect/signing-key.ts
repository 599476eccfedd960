import { createPrivateKey } from "node:crypto";
import type { SigningKey } from "@mooring/dns";
import {
  activateDomainConnectKey,
  selectDomainConnectKeys,
} from "../../db/queries/domain-connect.ts";
import { type DomainConnectKey, signingKey } from "../../domain/domain-connect.ts";
import { createExpiringCache, type ExpiringCache } from "../domains/expiring-cache.ts";
import type { Runtime } from "../runtime.ts";
import { keyPublication } from "./key-publication.ts";

/** A key that DNS does not show yet is asked for again after this long. */
const askAgainMs = 60_000;

const askedByRuntime = new WeakMap<Runtime, ExpiringCache<true>>();

/**
 * The key that signs links now; null when there is none. A newer one that DNS shows by now takes
 * over here: nobody has to say so, and nothing is signed that could not be checked.
 */
export async function currentSigningKey(
  runtime: Runtime,
  domain: string,
  signal: AbortSignal,
): Promise<SigningKey | null> {
  const all = await runtime.transaction(selectDomainConnectKeys);
  const keys = all.filter((key) => key.domain === domain);
  const inUse = signingKey(keys);
  const newest = keys.find(({ retiredAt }) => retiredAt === null) ?? null;
  const isWaiting = newest !== null && newest.activatedAt === null;
  const chosen = isWaiting && (await takesOver(runtime, newest, signal)) ? newest : inUse;
  return chosen === null ? null : openKey(runtime, chosen);
}

async function takesOver(
  runtime: Runtime,
  key: DomainConnectKey,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = recentlyAsked(runtime);
  if (asked.get(key.id) === true) return false;
  const resolver = runtime.dns.resolverFor("live", key.domain);
  const { state } = await keyPublication(resolver, key, signal);
  if (state !== "published") {
    asked.set(key.id, true, askAgainMs);
    return false;
  }
  await runtime.transaction((tx) => activateDomainConnectKey(tx, key.id, runtime.clock.now()));
  runtime.log.info({ label: key.label }, "a new Domain Connect key signs from now on");
  return true;
}

function recentlyAsked(runtime: Runtime): ExpiringCache<true> {
  const existing = askedByRuntime.get(runtime);
  if (existing !== undefined) return existing;
  const nowMs = () => runtime.clock.now().getTime();
  const made = createExpiringCache<true>({ maxEntries: 100, nowMs });
  askedByRuntime.set(runtime, made);
  return made;
}

function openKey(runtime: Runtime, key: DomainConnectKey): SigningKey {
  const der = runtime.vault.open("domain_connect", keyContext(key.id), key.sealed);
  try {
    const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    return { label: key.label, privateKey };
  } finally {
    der.fill(0);
  }
}

export function keyContext(id: string) {
  return { tenant: null, table: "domain_connect_keys", row: id, column: "sealed" };
}
