import type { Health, Operation } from "../process/operational.ts";
import type { EdgeFigures } from "./metrics.ts";

/** The figures of several processes as those of one edge. */
export interface ClusterFigures extends Operation {
  /** Takes what a process has sent; false when it is something else. */
  hear(worker: string, message: unknown): boolean;
  /** The process is gone: what it counted stays counted. */
  ended(worker: string): void;
}

/** What a process sends, once a second, to whoever started it. */
interface FiguresMessage {
  readonly type: "edge_figures";
  readonly figures: EdgeFigures;
}

export const figuresEveryMs = 1_000;
/** A process that has been silent for this long serves nobody. */
const silentAfterMs = 5_000;

export function figuresMessage(figures: EdgeFigures): FiguresMessage {
  return { type: "edge_figures", figures };
}

interface Heard {
  readonly at: number;
  readonly figures: EdgeFigures;
}

export function createClusterFigures(
  size: number,
  monotonicMs: () => number = () => performance.now(),
): ClusterFigures {
  const latest = new Map<string, Heard>();
  let counted: EdgeFigures = nothing;
  let restarts = 0;

  const health = (): Health => {
    const now = monotonicMs();
    const serving = [...latest.values()].filter(({ at }) => now - at <= silentAfterMs).length;
    const some = serving === 0 ? "down" : "degraded";
    return { status: serving >= size ? "ok" : some, workers: size, serving };
  };

  return {
    hear(worker, message) {
      if (!isFiguresMessage(message)) return false;
      latest.set(worker, { at: monotonicMs(), figures: message.figures });
      return true;
    },
    ended(worker) {
      const last = latest.get(worker);
      latest.delete(worker);
      restarts += 1;
      if (last) counted = sum(counted, { ...last.figures, ...noGauges });
    },
    health,
    restarts: () => restarts,
    figures() {
      const all = [...latest.values()].map(({ figures }) => figures);
      // Every process knows the same hosts.
      const hosts = Math.max(0, ...all.map((one) => one.hosts));
      const standing = all.reduce((most, one) => maxOf(most, one.standing), nothing.standing);
      return { ...all.reduce(sum, counted), hosts, standing };
    },
  };
}

const noGauges = { hosts: 0, connections: 0, parked: 0, residentBytes: 0, standing: {} };

const nothing: EdgeFigures = {
  ...noGauges,
  ...{ handshakes: 0, requests: 0, originErrors: 0, originRetries: 0, shed: 0 },
  refused: {},
  answered: {},
  certificates: {},
};

function sum(a: EdgeFigures, b: EdgeFigures): EdgeFigures {
  return {
    hosts: a.hosts + b.hosts,
    connections: a.connections + b.connections,
    parked: a.parked + b.parked,
    handshakes: a.handshakes + b.handshakes,
    requests: a.requests + b.requests,
    originErrors: a.originErrors + b.originErrors,
    originRetries: a.originRetries + b.originRetries,
    shed: a.shed + b.shed,
    residentBytes: a.residentBytes + b.residentBytes,
    refused: sumCounts(a.refused, b.refused),
    answered: sumCounts(a.answered, b.answered),
    certificates: sumCounts(a.certificates, b.certificates),
    standing: {},
  };
}

/** All processes look at the same certificates, one a little later than another. */
function maxOf(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const most: Record<string, number> = { ...a };
  for (const [key, value] of Object.entries(b)) most[key] = Math.max(most[key] ?? 0, value);
  return most;
}

function sumCounts(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const total: Record<string, number> = { ...a };
  for (const [key, count] of Object.entries(b)) total[key] = (total[key] ?? 0) + count;
  return total;
}

/** Only our own processes have a channel to us, and they send figures as `figuresMessage` makes them. */
function isFiguresMessage(message: unknown): message is FiguresMessage {
  return (
    typeof message === "object" &&
    message !== null &&
    "type" in message &&
    message.type === "edge_figures"
  );
}
