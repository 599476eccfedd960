import { createCdnFinder } from "../cdn/cdn.ts";
import type { ProviderManifest } from "../providers/adapter/manifest.ts";
import { providers } from "../providers/registry.ts";
import { type KnownHost, knownHosts } from "./known-hosts.ts";

interface DetectedProvider {
  readonly slug: string;
  readonly name: string;
  readonly domainConnect: boolean;
  /** Null for a host without a manifest. */
  readonly manifest: ProviderManifest | null;
}

export interface Detection {
  /** The likeliest operator of the zone; null when unknown, or when several operators serve it. */
  readonly provider: DetectedProvider | null;
  /**
   * Others that the same servers may belong to; with `mixed`, every operator that was recognised.
   */
  readonly ambiguous: readonly DetectedProvider[];
  /** The servers belong to different operators: writing at one of them is not enough. */
  readonly mixed: boolean;
}

interface Pattern {
  readonly provider: DetectedProvider;
  readonly suffixes: readonly string[];
  readonly expressions: readonly RegExp[];
  readonly ambiguousWith: readonly string[];
}

// Providers with a manifest come first: of two equal matches the one with an adapter is more
// useful.
const patterns: readonly Pattern[] = [
  ...providers.map((manifest) => ({
    provider: describe(manifest),
    ...manifest.nameservers,
  })),
  ...knownHosts.map((host) => ({
    provider: describeHost(host),
    suffixes: host.suffixes,
    expressions: host.expressions,
    ambiguousWith: host.ambiguousWith,
  })),
];

const patternsBySlug = new Map(patterns.map((pattern) => [pattern.provider.slug, pattern]));

/** A host whose customers edit their zones in a panel that we can write to is taken for that. */
function describeHost({ slug, name, domainConnect, panel }: KnownHost): DetectedProvider {
  const manifest = providers.find((one) => one.slug === panel) ?? null;
  return { slug: manifest?.slug ?? slug, name, domainConnect, manifest };
}

function describe(manifest: ProviderManifest): DetectedProvider {
  const { slug, name, domainConnect } = manifest;
  return { slug, name, domainConnect, manifest };
}

/** What is known of a zone once its host's panel was recognised. */
export function detectedPanel(manifest: ProviderManifest): Detection {
  return { provider: describe(manifest), ambiguous: [], mixed: false };
}

/**
 * The operator of these name servers. A suggestion, never a proof: vanity names hide the operator,
 * and several operators use servers of the same platform.
 */
export function detectProvider(nameserverHosts: readonly string[]): Detection {
  const matches = nameserverHosts.map((host) => match(host.toLowerCase().replace(/\.$/, "")));
  const found = new Set(matches.filter((pattern) => pattern !== null));
  const [first] = found;
  if (first === undefined) return { provider: null, ambiguous: [], mixed: false };
  if (found.size > 1 || matches.includes(null)) {
    return { provider: null, ambiguous: [...found].map(({ provider }) => provider), mixed: true };
  }
  const ambiguous = first.ambiguousWith.flatMap((slug) => patternsBySlug.get(slug)?.provider ?? []);
  return { provider: first.provider, ambiguous, mixed: false };
}

function match(host: string): Pattern | null {
  const exact = patterns.find(({ expressions }) => expressions.some((one) => one.test(host)));
  if (exact !== undefined) return exact;
  let best: Pattern | null = null;
  let bestLength = 0;
  for (const pattern of patterns) {
    for (const suffix of pattern.suffixes) {
      if (suffix.length > bestLength && (host === suffix || host.endsWith(`.${suffix}`))) {
        best = pattern;
        bestLength = suffix.length;
      }
    }
  }
  return best;
}

const findCdn = createCdnFinder();

/**
 * Whether the address belongs to a published range of Cloudflare's proxy; false for anything that
 * is no address. A name that answers with one is served through the proxy, or by a customer's
 * flattened record that points there.
 */
export function isProxyAddress(address: string): boolean {
  return findCdn(address) === "cloudflare";
}
