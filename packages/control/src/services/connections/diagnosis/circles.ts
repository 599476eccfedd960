import type { RecordsCheck, Resolver } from "@mooring/dns";

/**
 * The names of wanted records that are aliases of something else and lead in a circle. The zone's own
 * servers show only the first step; following it to the end is what visitors' resolvers do. Where
 * nothing stands, nobody is asked: a resolver would remember the absence (RFC 2308).
 */
export async function findCircles(
  resolver: Resolver,
  check: RecordsCheck | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wrong = (check?.records ?? []).filter(
    ({ outcome }) => outcome !== "match" && outcome !== "absent",
  );
  const names = [...new Set(wrong.map(({ record }) => record.name))];
  const found = await Promise.all(
    names.map(async (name) => {
      const reply = await resolver.resolve(name, "A", signal);
      return reply.outcome === "failed" && reply.reason === "cname_loop" ? [name] : [];
    }),
  );
  return found.flat();
}
