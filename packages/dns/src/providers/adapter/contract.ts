import type { Socket } from "node:net";
import { isStorableText } from "../../foreign-text.ts";
import { normalizeName } from "../../name.ts";
import type { Plan } from "../../plan/change.ts";
import type { Zone, ZoneListing } from "../../zone.ts";
import { ProviderError } from "./errors.ts";
import { createProviderHttp, type Fetch, type ProviderHttp, pause } from "./http.ts";
import { certificateKey, type ProviderManifest } from "./manifest.ts";

/**
 * One credential at one provider. All methods are safe to call concurrently for different zones;
 * the caller lets no two `apply` run on one zone at a time, since most providers replace whole sets
 * without a version check. Aborting the signal rejects with its reason. Failures are
 * ProviderErrors.
 */
export interface DnsProvider {
  /** Every zone that can be written with this credential. An empty list is not an error. */
  listZones(signal: AbortSignal): Promise<readonly Zone[]>;

  /**
   * The servers that the provider assigned to the zone, where `listZones` does not say and another
   * request does.
   */
  readNameservers?(zone: Zone, signal: AbortSignal): Promise<readonly string[]>;

  /**
   * Everything in the zone, all pages of it, in canonical form. A CNAME at the apex, which some
   * providers flatten, is input as ALIAS. An answer that is known to be incomplete is an error.
   */
  listRecords(zone: Zone, signal: AbortSignal): Promise<ZoneListing>;

  /**
   * Carries out the plan's creates, updates and deletes: afterwards each `record` of a create or
   * update exists, each `existing` of an update or delete is removed, and all other records have
   * the values they had, also those of the same name and type. The zone is read again first, so
   * that applying a plan twice, or half of it before a crash and then the whole, ends in the same
   * zone. TTLs below the provider's minimum are raised to it. On an error some of the changes may
   * have been made; reading the zone shows which.
   */
  apply(zone: Zone, plan: Plan, signal: AbortSignal): Promise<void>;
}

export type Credentials = Readonly<Record<string, string>>;

/** What an adapter gets from its caller; nothing in it is global. */
export interface ProviderEnvironment {
  readonly fetch: Fetch;
  /** Opens a TCP connection, for the one provider that does not speak HTTP. */
  readonly dial?: Dial;
  readonly now?: () => Date;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timeoutMs?: number;
}

export type Dial = (host: string, port: number, signal: AbortSignal) => Promise<Socket>;

export interface AdapterContext {
  readonly http: ProviderHttp;
  readonly now: () => Date;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly dial: Dial | null;
  readonly timeoutMs: number;
}

export interface ProviderAdapter {
  readonly manifest: ProviderManifest;
  /** Makes no request. A field that is missing or malformed is a ProviderError of kind `auth`. */
  open(credentials: Credentials, environment: ProviderEnvironment): DnsProvider;
}

const defaultTimeoutMs = 15_000;

export function defineProvider(
  manifest: ProviderManifest,
  build: (credentials: Credentials, context: AdapterContext) => DnsProvider,
): ProviderAdapter {
  return {
    manifest,
    open(input, environment) {
      const credentials = checkCredentials(manifest, input);
      const timeoutMs = environment.timeoutMs ?? defaultTimeoutMs;
      const wait = environment.wait ?? pause;
      const http = createProviderHttp({
        fetch: environment.fetch,
        secrets: listSecrets(manifest, credentials),
        hidesAnswers: manifest.serverFields !== undefined,
        timeoutMs,
        wait,
      });
      const now = environment.now ?? (() => new Date());
      const dial = environment.dial ?? null;
      const provider = build(credentials, { http, now, wait, dial, timeoutMs });
      const listZones = async (signal: AbortSignal) =>
        (await provider.listZones(signal)).flatMap(canonicalZone);
      return { ...provider, listZones };
    },
  };
}

/**
 * Providers spell zone names as they like: in Unicode, with capitals or a closing dot. A zone whose
 * name is none, or that has no usable key, cannot be addressed and is left out.
 */
function canonicalZone(zone: Zone): readonly Zone[] {
  const name = normalizeName(zone.name);
  const isAddressable = name !== null && zone.id !== "" && isStorableText(zone.id);
  return isAddressable ? [{ ...zone, name }] : [];
}

/**
 * The fingerprint of the certificate that the customer's server must have, as 64 hexadecimal
 * digits; null where it is verified as usual. Throws `auth` for a text that is none.
 */
export function certificatePin(
  { credentialFields }: ProviderManifest,
  input: Credentials,
): string | null {
  const field = credentialFields.find(({ key }) => key === certificateKey);
  const entered = field === undefined ? "" : (input[certificateKey] ?? "").trim();
  if (field === undefined || entered === "") return null;
  const digits = entered
    .replace(/^sha-?256[ :=/]*(?:fingerprint[ =:]*)?/i, "")
    .replace(/[\s:]/g, "");
  if (/^[0-9a-f]{64}$/i.test(digits)) return digits.toLowerCase();
  throw new ProviderError("auth", `${field.label} must have 64 hexadecimal digits.`);
}

function checkCredentials(manifest: ProviderManifest, input: Credentials): Credentials {
  const checked: Record<string, string> = {};
  for (const { key, label, required } of neededFields(manifest, input)) {
    const value = (input[key] ?? "").trim();
    if (value === "" && required) throw new ProviderError("auth", `${label} is missing.`);
    // A line break would end a header; only a pasted JSON or PEM file may have several lines.
    if (/\p{Cc}/u.test(value) && !/^(?:\{|-----BEGIN )/.test(value)) {
      throw new ProviderError("auth", `${label} contains a character that cannot be part of it.`);
    }
    if (value !== "") checked[key] = value;
  }
  return checked;
}

function listSecrets(manifest: ProviderManifest, credentials: Credentials): readonly string[] {
  return neededFields(manifest, credentials).flatMap(({ key, secret }) =>
    secret && credentials[key] !== undefined ? [credentials[key]] : [],
  );
}

/** With the token of a sign-in none of the inputs is needed. */
function neededFields(
  { credentialFields, signInField: key }: ProviderManifest,
  input: Credentials,
) {
  if (key === undefined || input[key] === undefined) return credentialFields;
  const token = { key, label: "The sign-in", secret: true, required: true };
  return [...credentialFields.map((field) => ({ ...field, required: false })), token];
}
