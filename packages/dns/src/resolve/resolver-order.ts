import type { Endpoint } from "../client/udp.ts";

export interface ResolverOrder {
  /** All resolvers, the next one for this name first; those that gave no answer lately last. */
  resolversFor(name: string): readonly Endpoint[];
  onAsked(resolver: Endpoint, hasAnswered: boolean): void;
}

/** A resolver that gave no answer is not asked first for so long. */
const restMs = 10_000;

/**
 * Spreads names over all resolvers. A name goes to the same one each time, whose cache then has the
 * answer for the next worker too.
 */
export function createResolverOrder(
  resolvers: readonly Endpoint[],
  nowMs: () => number,
): ResolverOrder {
  const silentUntilMs = new Map<Endpoint, number>();
  const isSilent = (resolver: Endpoint) => (silentUntilMs.get(resolver) ?? 0) > nowMs();
  return {
    resolversFor(name) {
      if (resolvers.length < 2) return resolvers;
      const first = hashText(name) % resolvers.length;
      const turned = [...resolvers.slice(first), ...resolvers.slice(0, first)];
      if (silentUntilMs.size === 0) return turned;
      return [...turned.filter((one) => !isSilent(one)), ...turned.filter(isSilent)];
    },
    onAsked(resolver, hasAnswered) {
      if (hasAnswered) silentUntilMs.delete(resolver);
      else silentUntilMs.set(resolver, nowMs() + restMs);
    },
  };
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
