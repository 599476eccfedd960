import { createSigningKeyPair, keyRecords } from "@mooring/dns";
import {
  activateDomainConnectKey,
  insertDomainConnectKey,
  retireDomainConnectKey,
  selectDomainConnectKeys,
} from "../../db/queries/domain-connect.ts";
import { lockBootstrap } from "../../db/queries/tenants.ts";
import {
  type DomainConnectKey,
  type KeyUse,
  keyUse,
  nextLabel,
} from "../../domain/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { checkRootKeys } from "../operator/check-root-keys.ts";
import type { Runtime } from "../runtime.ts";
import { requireIdentity } from "./identity.ts";
import { keyName, keyPublication, type Publication, publicKeyOf } from "./key-publication.ts";
import { keyContext } from "./signing-key.ts";

/** A key as its operator sees it. */
export interface KeyReport {
  readonly label: string;
  readonly use: KeyUse;
  /** The name of the TXT records, and their texts. */
  readonly name: string;
  readonly records: readonly string[];
  readonly publication: Publication;
  readonly createdAt: Date;
  readonly activatedAt: Date | null;
  readonly retiredAt: Date | null;
}

/** Newest first, each with what DNS has of it. */
export async function listDomainConnectKeys(
  runtime: Runtime,
  signal: AbortSignal,
): Promise<readonly KeyReport[]> {
  const keys = await readKeys(runtime);
  return Promise.all(keys.map((key) => report(runtime, key, keys, signal)));
}

/** A new pair; it signs once DNS shows its public half, or at once where the operator says so. */
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

/** Takes a key into use whether or not DNS shows it to us. */
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

/** Ends a key for good. The one that signs is ended only on purpose: no link could be made then. */
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
    records: keyRecords(publicKeyOf(key)),
    publication: await keyPublication(resolver, key, signal),
    createdAt,
    activatedAt,
    retiredAt,
  };
}
