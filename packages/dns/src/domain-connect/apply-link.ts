import { type KeyObject, sign, verify } from "node:crypto";
import { ProviderError } from "../providers/adapter/errors.ts";
import type { DomainConnectSettings } from "./discovery.ts";
import { canonicalQuery, type Parameter, percentEncode, requireVariables } from "./parameters.ts";
import type { TemplateIdentity } from "./template.ts";

export interface ApplyRequest {
  readonly settings: Pick<DomainConnectSettings, "urlSyncUX">;
  readonly template: TemplateIdentity;
  /** The zone's apex, as A-labels. */
  readonly domain: string;
  /** The labels left of `domain`; empty for the apex itself. */
  readonly host: string;
  /** The groups of the template to apply; none means all. */
  readonly groupIds?: readonly string[];
  readonly redirectUri: string;
  readonly state: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly key: SigningKey;
}

/** The limit of draft-ietf-dconn-domainconnect-05, which deployed servers accept. */
const maxUrlLength = 8_000;

/**
 * The signed link under which the customer consents at their DNS provider. Use it unchanged:
 * parsing and printing it again may break the signature. Throws ProviderError `unsupported` when
 * the provider has no synchronous flow or the link would be too long, RangeError for what the
 * protocol forbids.
 */
export function applyUrl(request: ApplyRequest): string {
  const { settings, template } = request;
  if (settings.urlSyncUX === null) {
    throw new ProviderError("unsupported", "The DNS provider has no synchronous consent flow.");
  }
  const query = signApplyQuery(applyParameters(request), request.key);
  const url = `${settings.urlSyncUX}/v2/domainTemplates/providers/${percentEncode(template.providerId)}/services/${percentEncode(template.serviceId)}/apply?${query}`;
  if (url.length > maxUrlLength) {
    throw new ProviderError("unsupported", "The link to the DNS provider would be too long.");
  }
  return url;
}

function applyParameters(request: ApplyRequest): readonly Parameter[] {
  const { domain, host, groupIds, redirectUri, state } = request;
  requireHttps(redirectUri);
  const groups: Parameter[] =
    groupIds === undefined || groupIds.length === 0 ? [] : [["groupId", groupIds.join(",")]];
  return [
    ["domain", domain],
    // The apex has no host parameter: `@` is no part of the protocol.
    ...(host === "" ? [] : ([["host", host]] as const)),
    ...groups,
    ["redirect_uri", redirectUri],
    ["state", state],
    ...requireVariables(request.variables),
  ];
}

function requireHttps(url: string): void {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    throw new RangeError("the way back from a DNS provider is an https URL");
  }
}

/**
 * A key that signs apply links. Its public half is published in DNS at `label` below the key
 * domain.
 */
export interface SigningKey {
  /** One DNS label, such as `_dck1`. */
  readonly label: string;
  readonly privateKey: KeyObject;
}

/**
 * The whole query of a signed apply link: the canonical string, then `key`, then `sig`, since
 * verifiers want the signature last. Nothing may be added, moved or encoded again afterwards.
 */
export function signApplyQuery(parameters: readonly Parameter[], key: SigningKey): string {
  if (!/^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/.test(key.label)) {
    throw new RangeError("the label of a signing key is one DNS label");
  }
  const canonical = canonicalQuery(parameters);
  // RS256 (RFC 8017 §8.2 with SHA-256) is the one algorithm that every party has.
  const signature = sign("sha256", Buffer.from(canonical, "ascii"), rsaOnly(key.privateKey));
  return `${canonical}&key=${percentEncode(key.label)}&sig=${percentEncode(signature.toString("base64"))}`;
}

/** A received query, split without changing a byte of the signed part. */
export interface ReceivedQuery {
  readonly signed: string;
  /** Null when it is missing, given twice, or cannot be decoded. */
  readonly keyLabel: string | null;
  readonly signature: string | null;
}

export function readApplyQuery(query: string): ReceivedQuery {
  const pairs = query.split("&");
  const isOutside = (pair: string): boolean => /^(?:key|sig)=/.test(pair);
  return {
    signed: pairs.filter((pair) => !isOutside(pair)).join("&"),
    keyLabel: onlyValue(pairs, "key"),
    signature: onlyValue(pairs, "sig"),
  };
}

/** Whether the query is signed with the private half of this key, byte for byte. */
export function verifyApplyQuery(query: string, publicKey: KeyObject): boolean {
  const { signed, keyLabel, signature } = readApplyQuery(query);
  if (keyLabel === null || signature === null) return false;
  // Node reads base64 leniently; anything but the standard padded alphabet is no signature here.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(signature)) {
    return false;
  }
  const bytes = Buffer.from(signature, "base64");
  return verify("sha256", Buffer.from(signed, "utf8"), rsaOnly(publicKey), bytes);
}

function onlyValue(pairs: readonly string[], name: string): string | null {
  const [found, ...more] = pairs.filter((pair) => pair.startsWith(`${name}=`));
  if (found === undefined || more.length > 0) return null;
  try {
    return decodeURIComponent(found.slice(name.length + 1)) || null;
  } catch {
    return null;
  }
}

function rsaOnly(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== "rsa") throw new RangeError("apply links are signed with RSA keys");
  return key;
}
