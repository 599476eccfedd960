import { isIPv6 } from "node:net";
import { TokenBucket } from "@mooring/concurrency";

/**
 * Limits the answers to one network, because the source of a datagram can be forged: /24 of IPv4,
 * /56 of IPv6, with a burst of a second. Memory is bounded: networks that are quiet for a while are
 * forgotten.
 */
export interface AnswerRates {
  /**
   * `truncate`: an empty answer with TC, for every second question over the limit; an honest client
   * continues over TCP.
   */
  admit(address: string): "answer" | "truncate" | "drop";
}

/** Networks known at once, of each of two generations. */
const maxNetworks = 50_000;
const generationMs = 10_000;

interface Network {
  readonly bucket: TokenBucket;
  over: number;
}

/** No limit with a rate of 0. */
export function createAnswerRates(perSecond: number, nowMs: () => number): AnswerRates {
  const limit = { burst: perSecond, perSecond };
  let current = new Map<string, Network>();
  let previous = new Map<string, Network>();
  let startedAt = nowMs();

  function findNetwork(prefix: string, now: number): Network {
    if (now - startedAt > generationMs || current.size >= maxNetworks) {
      previous = current;
      current = new Map();
      startedAt = now;
    }
    const known = current.get(prefix) ?? previous.get(prefix);
    const network = known ?? { bucket: new TokenBucket(perSecond, now), over: 0 };
    current.set(prefix, network);
    return network;
  }

  return {
    admit(address) {
      if (perSecond === 0) return "answer";
      const now = nowMs();
      const network = findNetwork(networkPrefix(address), now);
      if (network.bucket.refill(limit, now) >= 1) {
        network.bucket.take();
        return "answer";
      }
      network.over += 1;
      return network.over % 2 === 0 ? "truncate" : "drop";
    },
  };
}

const mappedPrefix = "::ffff:";

/** Cut from the text of the address: it is compared only with others of the same socket. */
export function networkPrefix(address: string): string {
  const v4 = address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
  if (!isIPv6(v4)) return v4.slice(0, v4.lastIndexOf("."));
  const [head = "", tail] = v4.split("%")[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => "0");
  const [a = "0", b = "0", c = "0", d = "0"] = [...groups, ...zeros, ...rest];
  return `${a}:${b}:${c}:${d.padStart(4, "0").slice(0, 2)}`;
}
