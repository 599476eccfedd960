import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { shippedRanges } from "./shipped-ranges.ts";

/** The networks of CDNs by their name, as they are shipped or as an operator's file has them. */
export type CdnRanges = Readonly<Record<string, readonly string[]>>;

/** The CDN that an address belongs to; null for every other address, and for other text. */
export type CdnFinder = (address: string) => string | null;

export function createCdnFinder(ranges: CdnRanges = shippedRanges): CdnFinder {
  const lists = Object.entries(ranges).map(([name, cidrs]) => [name, toBlockList(cidrs)] as const);
  return (address) => {
    const version = isIP(address);
    if (version === 0) return null;
    const family = version === 6 ? "ipv6" : "ipv4";
    return lists.find(([, list]) => list.check(address, family))?.[0] ?? null;
  };
}

function toBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = "", prefix] = cidr.split("/");
    list.addSubnet(network, Number(prefix), isIPv6(network) ? "ipv6" : "ipv4");
  }
  return list;
}

/** The widest network that a file may name: a wider one is a slip, and would trust strangers. */
const widest = { ipv4: 8, ipv6: 19 } as const;

/**
 * Reads the file of an operator: `{ "date": "2026-11-01", "cdns": { "cloudflare": ["…/20", …] } }`.
 * Throws an Error that says what is wrong, for the person who wrote it.
 */
export function parseCdnRanges(text: string): CdnRanges {
  const { date, cdns } = readObject(JSON.parse(text), "the file");
  if (typeof date !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new Error('expected "date" like 2026-11-01');
  }
  const entries = Object.entries(readObject(cdns, '"cdns"'));
  return Object.fromEntries(
    entries.map(([name, cidrs]) => {
      if (!/^[a-z0-9-]{1,32}$/.test(name)) throw new Error("a CDN is named by [a-z0-9-]");
      if (!Array.isArray(cidrs)) throw new Error(`${name}: expected a list of networks`);
      return [name, cidrs.map((cidr: unknown) => readNetwork(name, cidr))];
    }),
  );
}

function readObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new Error(`expected ${what} to be an object`);
}

function readNetwork(name: string, value: unknown): string {
  const match = typeof value === "string" ? /^([^/]+)\/(\d{1,3})$/.exec(value) : null;
  const [, network = "", digits = ""] = match ?? [];
  const prefix = Number(digits);
  const isNarrow = isIPv4(network)
    ? prefix >= widest.ipv4 && prefix <= 32
    : isIPv6(network) && prefix >= widest.ipv6 && prefix <= 128;
  if (!isNarrow) throw new Error(`${name}: ${String(value)} is no network, or too wide a one`);
  return `${network}/${prefix}`;
}

/** The CDN that shows itself in the fields of a response; null where none does. */
export function cdnByFields(fields: Pick<Headers, "get">): string | null {
  const has = (name: string): boolean => fields.get(name) !== null;
  const server = fields.get("server")?.toLowerCase() ?? "";
  const servedBy = fields.get("x-served-by") ?? "";
  if (has("cf-ray") || server === "cloudflare") return "cloudflare";
  if (has("x-fastly-request-id") || /^cache-[a-z0-9-]+/.test(servedBy)) return "fastly";
  if (has("x-amz-cf-id")) return "cloudfront";
  if (server.startsWith("bunnycdn")) return "bunny";
  if (has("x-azure-ref")) return "azure";
  if (server.startsWith("akamai") || has("x-akamai-request-id")) return "akamai";
  if (has("x-vercel-id")) return "vercel";
  if (has("x-iinfo")) return "imperva";
  if (has("x-sucuri-id")) return "sucuri";
  return null;
}

/** Names as their owners write them; others are shown as they are. */
const cdnNames: Readonly<Record<string, string>> = {
  akamai: "Akamai",
  azure: "Azure Front Door",
  bunny: "bunny.net",
  cloudflare: "Cloudflare",
  cloudfront: "Amazon CloudFront",
  fastly: "Fastly",
  imperva: "Imperva",
  sucuri: "Sucuri",
  vercel: "Vercel",
};

export function cdnName(slug: string): string {
  return cdnNames[slug] ?? slug;
}
