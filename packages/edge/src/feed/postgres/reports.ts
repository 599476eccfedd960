import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import { failingOrigins, recheckConnection, reportOrigins } from "../../db/origin-health.ts";
import { dropPresence, storePresence } from "../../db/presence.ts";
import { reportTraffic } from "../../db/traffic.ts";
import type { OriginFeed, PresenceFeed, TrafficFeed } from "../feed.ts";

interface ReportParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

export function createPostgresOrigins({ pool, clock }: ReportParts): OriginFeed {
  return {
    report: (reports) => reportOrigins(pool, reports),
    failing: () => failingOrigins(pool),
    recheck: (connectionId) => recheckConnection(pool, connectionId, clock.now()),
  };
}

export function createPostgresTraffic({ pool, clock }: ReportParts): TrafficFeed {
  return { report: (batch) => reportTraffic(pool, batch, clock.now()) };
}

export function createPostgresPresence({ pool, clock }: ReportParts): PresenceFeed {
  return {
    tell: (edge) => storePresence(pool, edge, clock.now()),
    leave: (id) => dropPresence(pool, id),
  };
}
