import type { ProviderManifest } from "./manifest.ts";
import { knownHosts } from "./nameservers.ts";
import { providers } from "./providers/registry.ts";

export interface DetectedProvider {
  readonly slug: string;
  readonly name: string;
  readonly domainConnect: boolean;
  /** Null for a host that we can name but do not describe. */
  readonly manifest: ProviderManifest | null;
}

export interface Detection {
  /** The likeliest operator of the zone; null when unknown, or when several operators share it. */
  readonly provider: DetectedProvider | null;
  /** Others that the same servers may belong to; with `mixed`, every operator that was recognised. */
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

// Described providers come first: of two equally good matches the one we can serve is likelier useful.
const patterns: readonly Pattern[] = [
  ...providers.map((manifest) => ({
    provider: describe(manifest),
    ...manifest.nameservers,
  })),
  ...knownHosts.map((host) => ({
    provider: {
      slug: host.slug,
      name: host.name,
      domainConnect: host.domainConnect,
      manifest: null,
    },
    suffixes: host.suffixes,
    expressions: host.expressions,
    ambiguousWith: host.ambiguousWith,
  })),
];

const patternsBySlug = new Map(patterns.map((pattern) => [pattern.provider.slug, pattern]));

function describe(manifest: ProviderManifest): DetectedProvider {
  const { slug, name, domainConnect } = manifest;
  return { slug, name, domainConnect, manifest };
}

/**
 * Says whose servers these are. A suggestion, never a proof: vanity names hide the operator, and
 * several operators hand out servers of the same platform.
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
