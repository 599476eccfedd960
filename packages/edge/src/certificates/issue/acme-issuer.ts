import { createHash, type KeyObject } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { Authorization, Challenge, ChallengeType } from "../../acme/authorization.ts";
import { type AcmeClient, type AcmeClientOptions, createAcmeClient } from "../../acme/client.ts";
import {
  AcmeError,
  endsOrder,
  readCaError,
  readLimitScope,
  toErrorCode,
} from "../../acme/error.ts";
import type { Order, ProfileChoice } from "../../acme/order.ts";
import {
  accountKeyContext,
  loadAccountKey,
  storeAccountKey,
  storeAccountUri,
} from "../../db/issuer-keys.ts";
import {
  dropChallenges,
  dropOrder,
  loadOrder,
  orderKeyContext,
  putChallenge,
  saveOrder,
} from "../../db/orders.ts";
import type { Host } from "../../hosts/host.ts";
import { createCsr } from "../../x509/acme-x509.ts";
import { chainMismatch, lacksIssuer, parseChain } from "../../x509/chain.ts";
import { generateKey, hashPublicKey, keyFromPem, keyToPem } from "../../x509/keys.ts";
import type { Delegation } from "./delegation.ts";
import { type Issued, IssueError, type Issuer, type Permit } from "./issuer.ts";
import { persistentRecord } from "./persistent-record.ts";

export interface AcmeIssuerParts {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: () => number;
  readonly directory: string;
  /** Null for the CA's own default. */
  readonly profile: ProfileChoice | null;
  readonly client: Pick<AcmeClientOptions, "fetch" | "timings" | "contact" | "eab">;
  /** Null where validation is not delegated to this service. */
  readonly delegation?: Delegation | null;
}

const challengeLifetimeMs = 3_600_000;

/** Certificates from an ACME CA. Any edge resumes an incomplete order. */
export function createAcmeIssuer(parts: AcmeIssuerParts): Issuer {
  let opened: Promise<AcmeClient> | null = null;
  const client = (): Promise<AcmeClient> => {
    opened ??= openClient(parts).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    name: parts.directory,
    isLimited: true,
    renewalInfo: async (chain, signal) => (await client()).renewalInfo(chain, signal),
    async accountUri(signal) {
      try {
        const uri = await (await client()).account(signal);
        await storeAccountUri(parts.pool, parts.directory, uri);
        return uri;
      } catch (error) {
        throw toIssueError(error);
      }
    },
    async obtain(host, replaces, signal, permit, methods) {
      try {
        return await obtain(parts, await client(), { host, replaces, permit, methods }, signal);
      } catch (error) {
        // A refused order is dropped; without an answer it stays and is resumed.
        const cause = error instanceof FailedValidation ? error.cause : error;
        if (cause instanceof AcmeError && endsOrder(cause)) {
          await dropOrder(parts.pool, host.hostname);
          await parts.delegation?.withdraw(host.hostname);
        }
        throw toIssueError(error);
      }
    },
  };
}

/** The CA has tried to validate the name, which counts against a limit of its own. */
class FailedValidation extends Error {
  override readonly cause: AcmeError;
  constructor(cause: AcmeError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Other errors, such as an abort, are returned unchanged. */
function toIssueError(error: unknown): unknown {
  const isInvalid = error instanceof FailedValidation;
  const cause = isInvalid ? error.cause : error;
  if (!(cause instanceof AcmeError)) return error;
  return new IssueError(toErrorCode(cause), cause.message, {
    retryAfterSeconds: cause.retryAfterSeconds,
    scope: readLimitScope(cause.problem),
    isInvalid,
    caError: readCaError(cause),
    cause,
  });
}

async function openClient(parts: AcmeIssuerParts): Promise<AcmeClient> {
  const { pool, vault, clock, directory } = parts;
  const context = accountKeyContext(directory);
  if ((await loadAccountKey(pool, directory)) === null) {
    const sealed = vault.seal("acme_account", context, keyToPem(await generateKey()));
    await storeAccountKey(pool, directory, sealed, clock.now());
  }
  const sealed = await loadAccountKey(pool, directory);
  if (sealed === null) throw new Error("the ACME account's key was not stored");
  const accountKey = keyFromPem(vault.open("acme_account", context, sealed).toString("utf8"));
  return createAcmeClient({ directoryUrl: directory, accountKey, clock, ...parts.client });
}

interface OrderRequest {
  readonly host: Host;
  readonly replaces: string | null;
  readonly permit: Permit;
  readonly methods: readonly string[] | undefined;
}

async function obtain(
  parts: AcmeIssuerParts,
  client: AcmeClient,
  request: OrderRequest,
  signal: AbortSignal,
): Promise<Issued> {
  const { host } = request;
  const { order, key } = await openOrder(parts, client, request, signal);
  const chainPem = await complete(parts, client, request, { order, key }, signal).catch(onlyThis);
  const chain = parseChain(chainPem);
  const due = { hostname: host.hostname, key, now: parts.clock.now() };
  const alone = lacksIssuer(chain) ? "its chain lacks the certificate of its issuer" : null;
  const mismatch = chainMismatch(chain, due) ?? alone;
  await dropChallenges(parts.pool, host.hostname);
  await parts.delegation?.withdraw(host.hostname);
  if (mismatch !== null) {
    await dropOrder(parts.pool, host.hostname);
    throw new IssueError(
      "certificate_failed",
      `the certificate of the CA does not fit: ${mismatch}`,
    );
  }
  const { notBefore, notAfter, issuer, fingerprint } = chain.leaf;
  return { chain: chainPem, fingerprint, key: keyToPem(key), notBefore, notAfter, ca: issuer };
}

/** Validates the name, sends the request for the certificate and downloads the chain. */
async function complete(
  parts: AcmeIssuerParts,
  client: AcmeClient,
  request: OrderRequest,
  { order, key }: { readonly order: Order; readonly key: KeyObject },
  signal: AbortSignal,
): Promise<string> {
  for (const url of order.authorizations) await authorize(parts, client, request, url, signal);
  const csr = await createCsr(request.host.hostname, key);
  return client.download(await client.finalize(order, csr, signal), signal);
}

/** What cannot be read of one order says nothing about the orders of other names. */
function onlyThis(error: unknown): never {
  if (!(error instanceof AcmeError) || error.kind !== "malformed") throw error;
  throw new IssueError(toErrorCode(error), error.message, { scope: "name", cause: error });
}

/** Resumes the saved order if possible; else creates one and saves it with its key before use. */
async function openOrder(
  parts: AcmeIssuerParts,
  client: AcmeClient,
  { host: { hostname, epoch }, replaces, permit }: OrderRequest,
  signal: AbortSignal,
): Promise<{ readonly order: Order; readonly key: KeyObject }> {
  const { pool, vault, clock, directory } = parts;
  const at = { hostname, directory, epoch };
  const context = orderKeyContext(hostname);
  const saved = await loadOrder(pool, at);
  const resumed = saved ? await client.resumeOrder(saved.order, signal) : null;
  if (saved && resumed && resumed.status !== "invalid") {
    const key = keyFromPem(
      vault.open("certificate_key", context, saved.sealedKey).toString("utf8"),
    );
    return { order: resumed, key };
  }
  const key = await generateKey();
  // An unreachable CA is detected before the order counts against the budget.
  await client.ping(signal);
  const accepted = await permit();
  const replaced = replaces === null ? null : parseChain(replaces).leaf.ariId;
  const { profile } = parts;
  const options = { profile, ...(replaced === null ? {} : { replaces: replaced }) };
  const order = await client.newOrder(hostname, options, signal);
  accepted();
  const sealedKey = vault.seal("certificate_key", context, keyToPem(key));
  const publicKeySha256 = hashPublicKey(key);
  await saveOrder(pool, at, { order, sealedKey, publicKeySha256 }, clock.now());
  return { order, key };
}

async function authorize(
  parts: AcmeIssuerParts,
  client: AcmeClient,
  request: OrderRequest,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const authorization = await client.authorization(url, signal);
  if (authorization.status === "valid") return;
  const challenge = await chooseChallenge(parts, client, request, authorization, signal);
  await prepare(parts, client, request.host, challenge, signal);
  await client.respond(challenge, signal);
  await client.waitValid(url, signal).catch((error: unknown) => {
    const isRefused = error instanceof AcmeError && endsOrder(error);
    throw isRefused ? new FailedValidation(error) : error;
  });
}

interface ChosenChallenge extends Challenge {
  /** For `dns-persist-01`: what it is answered with. */
  readonly record: string | null;
}

async function chooseChallenge(
  parts: AcmeIssuerParts,
  client: AcmeClient,
  { methods, host }: OrderRequest,
  authorization: Authorization,
  signal: AbortSignal,
): Promise<ChosenChallenge> {
  for (const kind of challengesFor(parts, methods)) {
    const challenge = client.challengeFor(authorization, kind);
    if (challenge === null) continue;
    if (kind !== "dns-persist-01") return { ...challenge, record: null };
    const record = persistentRecord(challenge, host, await client.account(signal));
    if (record !== null) return { ...challenge, record };
  }
  throw new IssueError("certificate_failed", "the CA offers no challenge we can answer");
}

/**
 * Without a restriction those over the network; those by DNS only where the preflight found that
 * they can succeed.
 */
function challengesFor(
  { random }: AcmeIssuerParts,
  methods: readonly string[] | undefined,
): readonly ChallengeType[] {
  // At random, so that a network that blocks one of them does not fail every attempt.
  const network: readonly ChallengeType[] =
    random() < 0.5 ? ["tls-alpn-01", "http-01"] : ["http-01", "tls-alpn-01"];
  if (methods === undefined) return network;
  // A record that stays needs no change before each order, nor a wait for its visibility.
  const all = [...network, "dns-persist-01", "dns-01"] as const;
  return all.filter((kind) => methods.includes(kind));
}

/** Puts the response where the CA searches for it. */
async function prepare(
  { pool, clock, delegation }: AcmeIssuerParts,
  client: AcmeClient,
  host: Host,
  { type, token, record }: ChosenChallenge,
  signal: AbortSignal,
): Promise<void> {
  if (type === "dns-01" || type === "dns-persist-01") {
    if (!delegation) throw new IssueError("certificate_failed", "validation is not delegated");
    if (record !== null) return delegation.persist(host, record, signal);
    // RFC 8555 §8.4.
    const digest = createHash("sha256").update(client.keyAuthorization(token));
    return delegation.publish(host, digest.digest("base64url"), signal);
  }
  const expiresAt = new Date(clock.now().getTime() + challengeLifetimeMs);
  await putChallenge(pool, {
    hostname: host.hostname,
    kind: type,
    token,
    keyAuthorization: client.keyAuthorization(token),
    expiresAt,
  });
}
