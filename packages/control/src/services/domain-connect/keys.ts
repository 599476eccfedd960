import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import {
  createSigningKeyPair,
  keyRecords,
  type NameServer,
  type Reply,
  type Resolver,
  readKeyRecords,
  type SigningKey,
} from "@mooring/dns";
import {
  activateDomainConnectKey,
  insertDomainConnectKey,
  retireDomainConnectKey,
  selectDomainConnectKeys,
} from "../../db/queries/domain-connect/domain-connect.ts";
import { lockBootstrap } from "../../db/queries/operator/tenants.ts";
import {
  type DomainConnectKey,
  type KeyUse,
  keyName,
  keyUse,
  nextLabel,
  signingKey,
} from "../../domain/domain-connect/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { checkRootKeys } from "../operator/check-root-keys.ts";
import type { Runtime } from "../runtime.ts";
import { requireIdentity } from "./template.ts";

/** A key as the operator sees it. */
export interface KeyReport {
  readonly label: string;
  readonly use: KeyUse;
  /** The name of the TXT records, and their values. */
  readonly name: string;
  readonly records: readonly string[];
  readonly publication: Publication;
  readonly createdAt: Date;
  readonly activatedAt: Date | null;
  readonly retiredAt: Date | null;
}

/** All keys, newest first, each with what DNS publishes. */
export async function listDomainConnectKeys(
  runtime: Runtime,
  signal: AbortSignal,
): Promise<readonly KeyReport[]> {
  const keys = await readKeys(runtime);
  return Promise.all(keys.map((key) => report(runtime, key, keys, signal)));
}

/** Makes a key pair; it signs once DNS publishes its public key, or at once with `activate`. */
export async function createDomainConnectKey(
  runtime: Runtime,
  options: { readonly activate: boolean },
  signal: AbortSignal,
): Promise<KeyReport> {
  const { keyDomain } = requireIdentity(runtime.config);
  await checkRootKeys(runtime);
  const pair = await createSigningKeyPair();
  const der = pair.privateKey.export({ format: "der", type: "pkcs8" });
  const spki = pair.publicKey.export({ format: "der", type: "spki" });
  const createdAt = runtime.clock.now();
  const id = newId(createdAt);
  const key = await runtime.transaction(async (tx) => {
    await lockBootstrap(tx);
    const made: DomainConnectKey = {
      id,
      label: nextLabel(await selectDomainConnectKeys(tx)),
      domain: keyDomain,
      publicKey: spki.toString("base64"),
      sealed: runtime.vault.seal("domain_connect", keyContext(id), der),
      createdAt,
      activatedAt: options.activate ? createdAt : null,
      retiredAt: null,
    };
    await insertDomainConnectKey(tx, made);
    return made;
  });
  der.fill(0);
  return report(runtime, key, await readKeys(runtime), signal);
}

/** Activates a key whether or not DNS publishes it. */
export async function activateKey(
  runtime: Runtime,
  label: string,
  signal: AbortSignal,
): Promise<KeyReport> {
  const key = await requireKey(runtime, label);
  if (key.retiredAt !== null) throw new AppError("conflict", `${label} is retired`);
  await runtime.transaction((tx) => activateDomainConnectKey(tx, key.id, runtime.clock.now()));
  return reread(runtime, label, signal);
}

/**
 * Retires a key for good. The signing key needs `force`, because no link can be made without it.
 */
export async function retireKey(
  runtime: Runtime,
  label: string,
  options: { readonly force: boolean },
  signal: AbortSignal,
): Promise<KeyReport> {
  const key = await requireKey(runtime, label);
  if (!options.force && keyUse(key, await readKeys(runtime)) === "signing") {
    throw new AppError(
      "conflict",
      `${label} signs the links at present: make another with \`mooring domain-connect keys create\` first, or say --force`,
    );
  }
  await runtime.transaction((tx) => retireDomainConnectKey(tx, key.id, runtime.clock.now()));
  return reread(runtime, label, signal);
}

async function reread(runtime: Runtime, label: string, signal: AbortSignal): Promise<KeyReport> {
  return report(runtime, await requireKey(runtime, label), await readKeys(runtime), signal);
}

async function requireKey(runtime: Runtime, label: string): Promise<DomainConnectKey> {
  const found = (await readKeys(runtime)).find((key) => key.label === label);
  if (found === undefined) throw new AppError("not_found", `there is no key ${label}`);
  return found;
}

function readKeys(runtime: Runtime): Promise<readonly DomainConnectKey[]> {
  return runtime.transaction(selectDomainConnectKeys);
}

async function report(
  runtime: Runtime,
  key: DomainConnectKey,
  all: readonly DomainConnectKey[],
  signal: AbortSignal,
): Promise<KeyReport> {
  const { label, createdAt, activatedAt, retiredAt } = key;
  const resolver = runtime.dns.resolverFor("live", key.domain);
  return {
    label,
    use: keyUse(
      key,
      all.filter(({ domain }) => domain === key.domain),
    ),
    name: keyName(key),
    records: keyRecords(decodePublicKey(key)),
    publication: await keyPublication(resolver, key, signal),
    createdAt,
    activatedAt,
    retiredAt,
  };
}

/** How long to wait before DNS is asked again for a key that it does not publish yet. */
const askAgainMs = 60_000;

/**
 * The key that signs links now; null when there is none. A newer key takes over here as soon as DNS
 * publishes it, without a command, so that every signature can be verified.
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
  const { unpublishedKeys } = runtime.domainFacts;
  if (unpublishedKeys.get(key.id) === true) return false;
  const resolver = runtime.dns.resolverFor("live", key.domain);
  const { state } = await keyPublication(resolver, key, signal);
  if (state !== "published") {
    unpublishedKeys.set(key.id, true, askAgainMs);
    return false;
  }
  await runtime.transaction((tx) => activateDomainConnectKey(tx, key.id, runtime.clock.now()));
  runtime.log.info({ label: key.label }, "domain connect key activated");
  return true;
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

/** What DNS has at a key's name. `unknown`: no server answered. */
type Publication =
  | { readonly state: "published" | "missing" | "unknown" }
  | { readonly state: "wrong"; readonly reason: string };

function decodePublicKey({ publicKey }: Pick<DomainConnectKey, "publicKey">): KeyObject {
  return createPublicKey({
    key: Buffer.from(publicKey, "base64"),
    format: "der",
    type: "spki",
  });
}

/**
 * Asks all of the zone's own servers: a provider may ask any of them, and a recursive resolver that
 * is asked too early caches the absence.
 */
async function keyPublication(
  resolver: Resolver,
  key: DomainConnectKey,
  signal: AbortSignal,
): Promise<Publication> {
  const name = keyName(key);
  const found = await resolver.findZone(key.domain, signal);
  if (found.outcome === "unregistered") return { state: "missing" };
  if (found.outcome === "failed") return { state: "unknown" };
  const ask = (server: NameServer) =>
    resolver.askServer(server, name, "TXT", { signal, transport: "udp" });
  const replies = await Promise.all(found.servers.map(ask));
  const publications = replies
    .filter(({ outcome }) => outcome !== "failed")
    .map((reply) => publicationIn(reply, key));
  const worst = publications.find(({ state }) => state !== "published");
  return worst ?? publications[0] ?? { state: "unknown" };
}

function publicationIn(reply: Reply, key: DomainConnectKey): Publication {
  if (reply.outcome !== "records") return { state: "missing" };
  const texts = reply.records.filter(({ type }) => type === "TXT").map(({ value }) => value);
  const read = readKeyRecords(texts);
  if (!read.ok) return { state: "wrong", reason: read.reason };
  if (read.publicKey.equals(decodePublicKey(key))) return { state: "published" };
  return { state: "wrong", reason: "another key is at this name" };
}
