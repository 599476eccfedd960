import type pg from "pg";
import { call } from "../../packages/control/test/support/http.ts";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  hurry,
  issueCertificates,
  type Made,
  proofOf,
  putZone,
  toEdge,
} from "./connecting.ts";

/**
 * Connections without end, each on its way to `live` in the sandbox: something is always between
 * two states. The test plays the customer and the edge; the workers do the rest.
 */
export interface ConnectionStream {
  /** Starts another zone full of connections; answers them. Those that are live already are archived. */
  more(count: number): Promise<readonly Made[]>;
  /** Issues what is wanted and makes due what waits; to be called again and again. */
  push(): Promise<void>;
  /** How many of those made have not been live yet. */
  remaining(): Promise<number>;
}

const zonesKept = 50;

async function forget({ base, key }: Caller, zone: string): Promise<void> {
  await call(base, `/v1/sandbox/zones/${zone}/records`, { key, method: "DELETE" });
}

export function connectionStream(caller: Caller, session: pg.Client): ConnectionStream {
  const ids: string[] = [];
  const zones: string[] = [];
  return {
    async more(count) {
      // A live name in the sandbox is looked at every few seconds: too many would be all the work.
      const { rows } = await session.query<{ id: string }>(
        "select id from connections where id = any ($1) and state = 'live'",
        [ids],
      );
      for (const { id } of rows) await archive(caller, id);
      const zone = freshZone();
      zones.push(zone);
      // A tenant has a hundred at most; what was made so long ago has long been live and ended.
      if (zones.length > zonesKept) await forget(caller, zones.shift() ?? "");
      const names = Array.from({ length: count }, (_, index) => `h${index}.${zone}`);
      const made = await Promise.all(names.map((name) => connect(caller, name)));
      ids.push(...made.map(({ id }) => id));
      await putZone(
        caller,
        zone,
        made.flatMap((one) => [proofOf(one), toEdge(one)]),
      );
      return made;
    },
    async push() {
      await issueCertificates(session);
      await hurry(session, "pending_ownership,verifying,verified,propagating,stalled,issuing_cert");
    },
    async remaining() {
      const { rows } = await session.query<{ count: number }>(
        "select count(*)::int as count from connections where id = any ($1) and state not in ('live', 'archived')",
        [ids],
      );
      return rows[0]?.count ?? -1;
    },
  };
}
