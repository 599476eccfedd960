export type OriginProtocol = "http/1.1" | "h2";

/** What is known of the origins behind TLS; `h1 only` where HTTP/2 must not be offered. */
export interface OriginProtocols {
  of(key: string): OriginProtocol | "h1 only" | null;
  /** What the last handshake chose. */
  learn(key: string, protocol: OriginProtocol): void;
  /** The origin offered HTTP/2 and then asked for HTTP/1.1. */
  requireH1(key: string): void;
}

/** An origin that is forgotten is dialled once before the requests that wait for it. */
const maxOrigins = 10_000;

export function createOriginProtocols(): OriginProtocols {
  const known = new Map<string, OriginProtocol | "h1 only">();

  function remember(key: string, protocol: OriginProtocol | "h1 only"): void {
    known.delete(key);
    known.set(key, protocol);
    const [oldest] = known.keys();
    if (known.size > maxOrigins && oldest !== undefined) known.delete(oldest);
  }

  return {
    of: (key) => known.get(key) ?? null,
    learn(key, protocol) {
      if (known.get(key) !== protocol) remember(key, protocol);
    },
    requireH1: (key) => remember(key, "h1 only"),
  };
}
