import type { DnssecVerdict } from "../dnssec/verdict.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";

/** One authoritative server of a delegation. No addresses: its host could not be resolved. */
export interface NameServer {
  readonly host: string;
  readonly addresses: readonly string[];
}

/**
 * Why there is no answer; none of these says anything about what the zone holds.
 * - `lame`: the server answers, but not with authority for the name
 * - `bogus`: the data exist, but DNSSEC validation refuses them
 * - `cname_loop`: a loop, or more than eight CNAMEs in a row
 */
export type FailureReason =
  | "timeout"
  | "servfail"
  | "refused"
  | "unreachable"
  | "malformed"
  | "bogus"
  | "cname_loop"
  | "lame";

export interface Failed {
  readonly outcome: "failed";
  readonly reason: FailureReason;
}

/** `chain` holds the CNAME targets that were followed, in order. */
export type Reply =
  | {
      readonly outcome: "records";
      readonly records: readonly AnswerRecord[];
      readonly chain: readonly string[];
      readonly authoritative: boolean;
      readonly transport: "udp" | "tcp";
    }
  | {
      readonly outcome: "absent";
      readonly rcode: "NXDOMAIN" | "NOERROR";
      readonly chain: readonly string[];
      /**
       * How long a cache may remember the absence (RFC 2308 §5); null when the answer does not say.
       */
      readonly negativeTtlSeconds: number | null;
      readonly authoritative: boolean;
    }
  | Failed;

export type FoundZone =
  | { readonly outcome: "found"; readonly zone: string; readonly servers: readonly NameServer[] }
  | { readonly outcome: "unregistered" }
  | Failed;

/**
 * The interface to DNS for the rest of the product. Names are canonical. Methods are safe to call
 * concurrently, never throw for what happens in the network, and reject with the signal's reason
 * when aborted.
 */
export interface Resolver {
  /**
   * The deepest zone that holds the name, with every server of its delegation, sorted by host.
   * `unregistered` when the domain that a registry would have delegated does not exist.
   */
  findZone(name: string, signal: AbortSignal): Promise<FoundZone>;

  /**
   * The same without DNSSEC: for a `bogus` delegation. It says who serves the zone, never what is
   * true of it, and is no base for a proof. A resolver that never says `bogus` has none.
   */
  findUncheckedZone?(name: string, signal: AbortSignal): Promise<FoundZone>;

  /**
   * Asks one authoritative server, recursion off, no cache. "tcp" uses UDP (with 0x20) only where
   * TCP is refused, as a proof needs; "udp" uses TCP on truncation. A CNAME is followed within the
   * answer only: one that leads out of it gives `absent` with a non-empty chain.
   */
  askServer(
    server: NameServer,
    name: string,
    type: QueryType,
    options: { readonly signal: AbortSignal; readonly transport: "udp" | "tcp" },
  ): Promise<Reply>;

  /**
   * Asks the recursive resolvers, following CNAMEs. SERVFAIL that turns into an answer when DNSSEC
   * checking is off is `bogus`.
   */
  resolve(name: string, type: QueryType, signal: AbortSignal): Promise<Reply>;

  /** The answer of each recursive resolver, with the network that its operator is known by. */
  resolveEach?(
    name: string,
    type: QueryType,
    signal: AbortSignal,
  ): Promise<readonly { readonly network: string; readonly reply: Reply }[]>;

  /**
   * Whether the answers of the zones' own servers for these types are authentic, along every alias,
   * by validation of our own from the root. A resolver that answers from memory cannot.
   */
  validate?(name: string, types: readonly QueryType[], signal: AbortSignal): Promise<DnssecVerdict>;

  /**
   * The same resolver, which asks nothing twice while the TTL of the first answer lasts: NS sets,
   * addresses of name servers and other answers of the recursive resolvers. With "ttl" what was
   * answered before counts too, also to other callers; with "now" only what is answered after this
   * call, so that a zone that has moved is found. `askServer` always asks.
   */
  readonly reuse?: ((oldest: ReuseFrom) => ReusingResolver) | undefined;
}

export type ReuseFrom = "ttl" | "now";

export interface ReusingResolver extends Resolver {
  /**
   * A server of exactly this zone with an address, chosen at random; null when none could be found.
   */
  pickServer(zone: string, signal: AbortSignal): Promise<NameServer | null>;
}

/**
 * The same resolver with a cache that never expires: for one check of several records at the same
 * name or in the same zone. Use it for that check only.
 */
export function withAnswerCache(resolver: Resolver): Resolver {
  const zones = new Map<string, Promise<FoundZone>>();
  const replies = new Map<string, Promise<Reply>>();
  const validate = resolver.validate?.bind(resolver);
  const resolveEach = resolver.resolveEach?.bind(resolver);
  return {
    findZone: (name, signal) => cached(zones, name, () => resolver.findZone(name, signal)),
    resolve: (name, type, signal) =>
      cached(replies, `${type} ${name}`, () => resolver.resolve(name, type, signal)),
    askServer: (server, name, type, options) =>
      cached(replies, `${type} ${name} ${server.host} ${options.transport}`, () =>
        resolver.askServer(server, name, type, options),
      ),
    ...(validate === undefined ? {} : { validate }),
    ...(resolveEach === undefined ? {} : { resolveEach }),
  };
}

function cached<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  return asked;
}
