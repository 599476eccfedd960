import type { Clock } from "@mooring/postgres";
import type { EdgeRules, Maintenance } from "../hosts/application-rules.ts";
import type { Host } from "../hosts/host.ts";
import type { Fields } from "../http/fields.ts";
import { toNetwork } from "../listen/addresses.ts";
import type { Networks } from "../listen/networks.ts";
import { type BasicAuthCheck, type Comparison, createBasicAuthCheck } from "./basic-auth.ts";
import { createLocalLimiter, type RateLimiter } from "./rate-limiter.ts";
import { createVisitorNetworks, normalizeVisitor } from "./visitor-networks.ts";

/** The rules that end a request; each is counted. */
export type RuleName = "network" | "maintenance" | "rate_limit" | "basic_auth";

export interface RuledRequest {
  readonly host: Pick<Host, "connectionId" | "hostname">;
  readonly rules: EdgeRules;
  /** Of the visitor, as trusted proxies and CDNs name it. */
  readonly visitor: string;
  readonly fields: Fields;
}

export interface RuleRefusal {
  readonly rule: RuleName;
  readonly status: number;
  /** For the log: no address, nothing that was sent. */
  readonly reason: string;
  /** Alternating names and values. */
  readonly fields: readonly string[];
  /** Plain text for the page, instead of the usual one. */
  readonly text?: string;
}

type Decision = RuleRefusal | null;

/**
 * Decides a request under the rules of its host: null lets it pass. In this order: networks,
 * maintenance, rate limit, credentials. The first that ends it is the answer.
 */
export interface RequestRules {
  decide(request: RuledRequest): Decision | Promise<Decision>;
}

interface Parts {
  readonly clock?: Pick<Clock, "now">;
  /** Shared by the processes of a machine. */
  readonly limiter?: RateLimiter;
  readonly basicAuth?: BasicAuthCheck;
}

/** To sign in, of one visitor at one connection: ten at once, then one in six seconds. */
const attempts = { requests: 10, perSeconds: 60 };
/** Nobody knows when a maintenance without a time ends. */
const openEndSeconds = 3_600;

export function createRequestRules(parts: Parts = {}): RequestRules {
  const { clock = { now: () => new Date() }, limiter = createLocalLimiter() } = parts;
  const { basicAuth = createBasicAuthCheck() } = parts;
  const networksOf = createCompiledNetworks();

  function checkRate({ host, rules, visitor }: RuledRequest): number | Promise<number> {
    if (rules.rateLimit === null) return 0;
    const { requests, perSeconds, by } = rules.rateLimit;
    const who = by === "visitor" ? toNetwork(visitor) : "";
    return limiter.take(`${host.connectionId} ${requests}/${perSeconds} ${who}`, {
      requests,
      perSeconds,
    });
  }

  function checkCredentials(request: RuledRequest): Decision | Promise<Decision> {
    const { rules, fields } = request;
    if (rules.basicAuth === null) return null;
    const shown = basicAuth.read(fields, rules.basicAuth.hash);
    if (shown === "right") return null;
    return shown === "absent" ? signIn(request) : checkAttempt(request, shown);
  }

  /** A pair that is not known to be right is an attempt; too many are not even compared. */
  async function checkAttempt(
    request: RuledRequest,
    shown: "wrong" | Comparison,
  ): Promise<Decision> {
    const key = `${request.host.connectionId} sign-in ${toNetwork(request.visitor)}`;
    const wait = await limiter.take(key, attempts);
    if (wait > 0) return tooMany("basic_auth", wait);
    const result = shown === "wrong" ? shown : await shown();
    if (result === "busy") return tooMany("basic_auth", 1_000);
    return result === "right" ? null : signIn(request);
  }

  function afterRate(request: RuledRequest, waitMs: number): Decision | Promise<Decision> {
    return waitMs === 0 ? checkCredentials(request) : tooMany("rate_limit", waitMs);
  }

  return {
    decide(asked) {
      const request = { ...asked, visitor: normalizeVisitor(asked.visitor) };
      const { rules, visitor } = request;
      const networks = networksOf(rules);
      if (networks !== null && !networks(visitor)) {
        return { rule: "network", status: 403, reason: "network of the visitor", fields: [] };
      }
      const closed = rules.maintenance && closedBy(rules.maintenance, clock.now().getTime());
      if (closed !== null) return closed;
      const wait = checkRate(request);
      if (typeof wait === "number") return afterRate(request, wait);
      return wait.then((waitMs) => afterRate(request, waitMs));
    },
  };
}

/** Whether a visitor is served; null where the rules name no network. */
function createCompiledNetworks(): (rules: EdgeRules) => Networks | null {
  const compiled = new WeakMap<EdgeRules, Networks>();
  return (rules) => {
    const { allow, deny } = rules;
    if (allow === null && deny === null) return null;
    const known = compiled.get(rules);
    if (known !== undefined) return known;
    const isDenied = createVisitorNetworks(deny ?? []);
    const isAllowed = allow === null ? () => true : createVisitorNetworks(allow);
    const made: Networks = (address) => isAllowed(address) && !isDenied(address);
    compiled.set(rules, made);
    return made;
  };
}

function closedBy({ untilMs, page }: Maintenance, nowMs: number): RuleRefusal | null {
  if (untilMs !== null && untilMs <= nowMs) return null;
  const seconds = untilMs === null ? openEndSeconds : Math.ceil((untilMs - nowMs) / 1_000);
  return {
    rule: "maintenance",
    status: 503,
    reason: "maintenance",
    fields: ["retry-after", String(seconds)],
    ...(page === null ? {} : { text: page }),
  };
}

function tooMany(rule: RuleName, waitMs: number): RuleRefusal {
  const fields = ["retry-after", String(Math.ceil(waitMs / 1_000))];
  const reason = rule === "rate_limit" ? "rate limit" : "too many attempts to sign in";
  return { rule, status: 429, reason, fields };
}

/** RFC 7617 §2 and §2.1; the name of a host needs no escape. */
function signIn({ host }: RuledRequest): RuleRefusal {
  return {
    rule: "basic_auth",
    status: 401,
    reason: "credentials",
    fields: ["www-authenticate", `Basic realm="${host.hostname}", charset="UTF-8"`],
  };
}
