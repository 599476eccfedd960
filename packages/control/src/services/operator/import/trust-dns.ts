import { importedEnd } from "../../../db/queries/certificates/imported-certificates.ts";
import { selectClaimHolder } from "../../../db/queries/connections/claims.ts";
import { selectConnection } from "../../../db/queries/connections/connections.ts";
import { type Connection, holdsClaim } from "../../../domain/connections/connection.ts";
import type { Observation } from "../../../domain/connections/observation.ts";
import { observe } from "../../connections/checks/observe.ts";
import { applyObservation } from "../../connections/transition.ts";
import { auditSource, type ServiceContext } from "../../context.ts";

/** How often the observation is applied again when workers lease the row meanwhile. */
const maxAttempts = 4;

/**
 * Takes the ownership of a connection as proven when every desired record is in DNS itself. Only
 * for a hostname that nobody holds, nor anybody's wildcard covers: its records resolve to us for
 * the holder's sake. The audit row of the transition says that DNS was trusted, and the method
 * whether the import brought the name's certificate and key, too.
 */
export async function trustDns(ctx: ServiceContext, connection: Connection): Promise<Connection> {
  const { runtime, signal } = ctx;
  if (holdsClaim(connection.state) || (await isCovered(ctx, connection))) return connection;
  const check = await observe(runtime, connection, signal, { ownership: false, records: true });
  if (check.observation.records?.outcome !== "match") return connection;
  // A name in between may be somebody else's.
  if (check.records?.records.some(({ isIndirect }) => isIndirect)) return connection;
  const end = await ctx.read((tx) => importedEnd(tx, connection.id));
  const method = end !== null && end > ctx.now() ? "import" : "trust_dns";
  const observation: Observation = {
    ...check.observation,
    ownership: { outcome: "match", error: null, method, isByDns: true },
  };
  let current = connection;
  for (let attempt = 0; attempt < maxAttempts && !holdsClaim(current.state); attempt += 1) {
    const applied = await applyObservation(runtime, current, observation, {
      askedBy: auditSource(ctx),
    });
    if (applied) return applied;
    current = (await runtime.system((tx) => selectConnection(tx, connection.id))) ?? current;
  }
  return current;
}

/** Whether a wildcard above the name is held, by whomever. */
export async function isCovered(
  ctx: ServiceContext,
  { hostname }: Pick<Connection, "hostname">,
): Promise<boolean> {
  const above = `*.${hostname.slice(hostname.indexOf(".") + 1)}`;
  return ctx.read(async (tx) => (await selectClaimHolder(tx, above)) !== null);
}
