import { shippedRangesDate } from "../../packages/dns/src/lookup.ts";

/** What is set about CDNs in front of customers' names. */
export const cdnDescriptions = {
  EDGE_CDN_RANGES: {
    meaning:
      'A JSON file with the networks of CDNs, instead of the shipped list: `{"date": "2026-11-01", "cdns": {"cloudflare": ["173.245.48.0/20"]}}`. Only a peer in them may [name the visitor](edge.md#behind-a-cdn). Read at the start.',
    fallback: `the shipped list, as of ${shippedRangesDate}`,
  },
  EDGE_PROBE_HTTP_PORT: {
    meaning: "The port without TLS at which names [behind a CDN](edge.md#behind-a-cdn) are probed.",
  },
} as const;
