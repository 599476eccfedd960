import { isAtOrBelow } from "../name.ts";
import { askAuthority } from "../resolve/at-authority.ts";
import { maxCnameDepth } from "../resolve/interpret.ts";
import type { FailureReason, Resolver } from "../resolve/resolver.ts";
import type { QueryType } from "../wire/rdata.ts";

/** What leads to the edge. */
export interface EdgeValues {
  /** The name that all share: those below it are targets of others. */
  readonly shared: string;
  /** As good as one another; `shared` is among them. */
  readonly names: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

/**
 * Where the aliases of a name lead. `another`: to a name below the edge's that is not accepted.
 * `unknown`: nobody answered for this name.
 */
export type ChainEnd =
  | { readonly is: "edge" | "elsewhere" }
  | { readonly is: "another"; readonly name: string }
  | { readonly is: "unknown"; readonly name: string; readonly reason: FailureReason };

const elsewhere: ChainEnd = { is: "elsewhere" };

/**
 * Follows the aliases of a name, each at every server that owns it, until one of the edge's names,
 * or the addresses at the end. Servers that do not agree lead elsewhere. It says where visitors
 * arrive and nothing about who owns the name that they asked for.
 */
export async function followToEdge(
  resolver: Resolver,
  name: string,
  edge: EdgeValues,
  signal: AbortSignal,
): Promise<ChainEnd> {
  let at = name;
  for (let depth = 0; depth < maxCnameDepth; depth += 1) {
    if (edge.names.has(at)) return { is: "edge" };
    if (isAtOrBelow(at, edge.shared)) return { is: "another", name: at };
    const found = await valuesAt(resolver, at, ["CNAME"], signal);
    if (!Array.isArray(found)) return found;
    const targets = new Set(found.map((values) => values.join(" ")));
    const [target = ""] = targets;
    if (targets.size > 1) return elsewhere;
    if (target === "") return judgeAddresses(resolver, at, edge, signal);
    at = target;
  }
  return elsewhere;
}

async function judgeAddresses(
  resolver: Resolver,
  name: string,
  { addresses }: EdgeValues,
  signal: AbortSignal,
): Promise<ChainEnd> {
  const found = await valuesAt(resolver, name, ["A", "AAAA"], signal);
  if (!Array.isArray(found)) return found;
  const all = found.flat();
  return all.length > 0 && all.every((one) => addresses.has(one)) ? { is: "edge" } : elsewhere;
}

type Unknown = Extract<ChainEnd, { readonly is: "unknown" }>;

/** What each server has there. */
async function valuesAt(
  resolver: Resolver,
  name: string,
  types: readonly QueryType[],
  signal: AbortSignal,
): Promise<string[][] | Unknown> {
  const question = { types, servers: "every", isResolvedAsUsual: () => false, signal } as const;
  const asked = await askAuthority(resolver, name, question);
  if (asked.outcome === "failed") return { is: "unknown", name, reason: asked.reason };
  return asked.answers.map(({ records }) => records.map(({ value }) => value));
}
