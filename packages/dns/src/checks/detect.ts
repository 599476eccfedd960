import { BlockList, isIPv4, isIPv6 } from "node:net";
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

/**
 * The ranges that Cloudflare publishes at https://www.cloudflare.com/ips/. A name that answers with
 * one of them is served through its proxy, or by a customer's flattened record that points there.
 */
const ipv4Ranges: readonly (readonly [string, number])[] = [
  ["173.245.48.0", 20],
  ["103.21.244.0", 22],
  ["103.22.200.0", 22],
  ["103.31.4.0", 22],
  ["141.101.64.0", 18],
  ["108.162.192.0", 18],
  ["190.93.240.0", 20],
  ["188.114.96.0", 20],
  ["197.234.240.0", 22],
  ["198.41.128.0", 17],
  ["162.158.0.0", 15],
  ["104.16.0.0", 13],
  ["104.24.0.0", 14],
  ["172.64.0.0", 13],
  ["131.0.72.0", 22],
];

const ipv6Ranges: readonly (readonly [string, number])[] = [
  ["2400:cb00::", 32],
  ["2606:4700::", 32],
  ["2803:f800::", 32],
  ["2405:b500::", 32],
  ["2405:8100::", 32],
  ["2a06:98c0::", 29],
  ["2c0f:f248::", 32],
];

const ranges = new BlockList();
for (const [network, prefix] of ipv4Ranges) ranges.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of ipv6Ranges) ranges.addSubnet(network, prefix, "ipv6");

/**
 * Whether the address belongs to a published proxy range; false for anything that is no address.
 */
export function isProxyAddress(address: string): boolean {
  if (isIPv4(address)) return ranges.check(address, "ipv4");
  return isIPv6(address) && ranges.check(address, "ipv6");
}
