import { isIPv4 } from "node:net";
import { orElse } from "@mooring/concurrency";
import {
  type EgressError,
  findOriginRefusal,
  findOriginUrlFault,
  parseOriginUrl,
} from "@mooring/egress";
import { z } from "zod";
import type { Origin } from "../../domain/applications/application.ts";
import { type Issue, invalid } from "../../domain/errors.ts";
import { isEdgeName } from "../../domain/ownership/target.ts";
import { withBudget } from "../budget.ts";
import type { ServiceContext } from "../context.ts";
import { createOriginGuard } from "../operator/origin-rules.ts";
import type { Runtime } from "../runtime.ts";

/** The verbs check the rest: what the edge would make of it depends on the configuration. */
export const originUrl = z.string().max(2_000);

/** As the API shows one. */
export const OriginBody = z.object({ url: z.string(), weight: z.int() }).meta({ id: "Origin" });

export const origins = z
  .array(
    z.strictObject({
      url: originUrl,
      weight: z
        .int()
        .min(0)
        .max(1_000)
        .default(1)
        .describe("Its share of the requests; 0: only while no other takes any"),
    }),
  )
  .max(8)
  .describe("Where the edge proxies to, up to 8; the first is origin_url");

interface OriginInput {
  readonly origin_url?: string | null | undefined;
  readonly origins?: readonly Origin[] | undefined;
}

export interface Origins {
  readonly originUrl: string | null;
  readonly origins: readonly Origin[];
}

/**
 * Throws unless the edge would use every origin that the request sets, as it is. Names are
 * resolved: outside of a transaction.
 */
export async function requireUsableOrigins(
  ctx: Pick<ServiceContext, "runtime" | "actor" | "signal">,
  input: OriginInput,
): Promise<void> {
  const { origin_url: url, origins: list = [] } = input;
  const set = [
    ...(url == null ? [] : [{ path: "origin_url", url }]),
    ...list.map((one, index) => ({ path: `origins.${index}.url`, url: one.url })),
  ];
  // Only then is the signal read, which starts its timer.
  if (set.length === 0) return;
  const { runtime, actor, signal } = ctx;
  const issues = await Promise.all(
    set.map(async ({ path, url: text }): Promise<Issue[]> => {
      const refusal = () => findRefusal(runtime, text, actor.tenantId, signal);
      const message = findFault(runtime, text) ?? (await refusal())?.message ?? null;
      return message === null ? [] : [{ path, message }];
    }),
  );
  if (issues.flat().length > 0) throw invalid(issues.flat());
}

/** Name servers that are slower than this say nothing. */
const resolveBudgetMs = 2_000;

/** Why the edges refuse to dial an origin now; null when they do not, or that is not known. */
export function findRefusal(
  { config }: Pick<Runtime, "config">,
  url: string,
  tenantId: string,
  signal: AbortSignal,
): Promise<EgressError | null> {
  const found = findOriginRefusal(createOriginGuard(config), url, tenantId);
  return withBudget(resolveBudgetMs, signal, (inner) =>
    orElse<EgressError | null>(inner, found, null),
  );
}

function findFault(runtime: Pick<Runtime, "config">, text: string): string | null {
  if (isOwnEdge(runtime, text)) return "the origin is the edge itself: requests would loop";
  return findOriginUrlFault(createOriginGuard(runtime.config), text);
}

/** The edge refuses its own public ports; on loopback another service may have them. */
function isOwnEdge({ config }: Pick<Runtime, "config">, text: string): boolean {
  const url = parseOriginUrl(text)?.url;
  // The parser leaves out the default port, and writes addresses in one form.
  if (url === undefined || !["", "80", "443"].includes(url.port)) return false;
  const isLoopback = (address: string) =>
    isIPv4(address) ? address.startsWith("127.") : address === "::1";
  const addresses = [...config.edgeIpv4, ...config.edgeIpv6.map((one) => `[${one}]`)];
  const own = addresses.filter((one) => !isLoopback(one.replace(/^\[(.*)\]$/, "$1")));
  const hosts = own.flatMap((one) => URL.parse(`http://${one}/`)?.hostname ?? []);
  const name = url.hostname.replace(/\.$/, "");
  return hosts.includes(name) || isEdgeName(config.edgeCname, name);
}

/**
 * The origins that a request sets; null when it sets none. `origin_url` is the first of `origins`:
 * one that is given alone replaces the whole list.
 */
export function originsIn(input: OriginInput): Origins | null {
  const { origin_url: url, origins: list } = input;
  if (list === undefined) {
    if (url === undefined) return null;
    return { originUrl: url, origins: url === null ? [] : [{ url, weight: 1 }] };
  }
  const issues = listIssues(list, url);
  if (issues.length > 0) throw invalid(issues);
  return { originUrl: list[0]?.url ?? null, origins: list };
}

function listIssues(list: readonly Origin[], url: string | null | undefined): readonly Issue[] {
  const seen = new Set<string>();
  const repeated = list.flatMap(({ url: one }, index): Issue[] => {
    if (!seen.has(one)) {
      seen.add(one);
      return [];
    }
    return [{ path: `origins.${index}.url`, message: "is in the list twice" }];
  });
  const isFirst = url === undefined || url === (list[0]?.url ?? null);
  if (isFirst) return repeated;
  return [...repeated, { path: "origin_url", message: "expected the first of origins" }];
}
