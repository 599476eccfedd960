/** Why a connection ended before it carried a request. */
export type ConnectionRefusal =
  | "malformed_hello"
  | "no_server_name"
  | "unknown_name"
  | "hello_timeout"
  | "handshake_failed"
  | "handshake_timeout"
  | "certificate_unavailable"
  | "parked_limit"
  | "address_limit"
  | "process_limit"
  | "overloaded";

/** Counters of one process since its start, and two gauges; read by whoever exposes metrics. */
export interface EdgeStats {
  connections: number;
  parked: number;
  handshakes: number;
  requests: number;
  originErrors: number;
  originRetries: number;
  shed: number;
  readonly refused: Record<ConnectionRefusal, number>;
  /** Requests that got an answer of the edge's own instead of the origin's, by status. */
  readonly answered: Map<number, number>;
}

export function createStats(): EdgeStats {
  return {
    connections: 0,
    parked: 0,
    handshakes: 0,
    requests: 0,
    originErrors: 0,
    originRetries: 0,
    shed: 0,
    refused: {
      malformed_hello: 0,
      no_server_name: 0,
      unknown_name: 0,
      hello_timeout: 0,
      handshake_failed: 0,
      handshake_timeout: 0,
      certificate_unavailable: 0,
      parked_limit: 0,
      address_limit: 0,
      process_limit: 0,
      overloaded: 0,
    },
    answered: new Map(),
  };
}

/** One process's figures as plain data, as they travel between processes. */
export interface EdgeFigures {
  readonly hosts: number;
  readonly connections: number;
  readonly parked: number;
  readonly handshakes: number;
  readonly requests: number;
  readonly originErrors: number;
  readonly originRetries: number;
  readonly shed: number;
  readonly residentBytes: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly answered: Readonly<Record<string, number>>;
  /** What became of certificates here, by outcome. */
  readonly certificates: Readonly<Record<string, number>>;
  /** How all certificates stand; every process tells the same. */
  readonly standing: Readonly<Record<string, number>>;
}

export function figuresOf(
  stats: EdgeStats,
  hosts: number,
  residentBytes: number,
  certificates: CertificateStats = createCertificateStats(),
): EdgeFigures {
  const { connections, parked, handshakes, requests, originErrors, originRetries, shed } = stats;
  return {
    ...{ hosts, connections, parked, handshakes, requests, originErrors, originRetries, shed },
    residentBytes,
    refused: { ...stats.refused },
    answered: Object.fromEntries(stats.answered),
    ...certificateFigures(certificates),
  };
}

/** What became of certificates in this process since its start, and how all of them stand. */
export interface CertificateStats {
  issued: number;
  renewed: number;
  failed: number;
  /** Orders that had to wait for their share of the budget. */
  held: number;
  /** Times that a CA was asked when it wishes a renewal. */
  asked: number;
  /** As of the last look at the database, over all edges. */
  standing: Standing;
}

export interface Standing {
  readonly served: number;
  /** A quarter of the life or less is left. */
  readonly nearEnd: number;
  readonly expired: number;
  /** Null while there is no certificate that is valid. */
  readonly soonestEnd: Date | null;
}

/** As plain numbers; the end that comes soonest as seconds since 1970, 0 without one. */
export function certificateFigures(stats: CertificateStats): {
  readonly certificates: Readonly<Record<string, number>>;
  readonly standing: Readonly<Record<string, number>>;
} {
  const { issued, renewed, failed, held, asked, standing } = stats;
  const { served, nearEnd, expired, soonestEnd } = standing;
  return {
    certificates: { issued, renewed, failed, held, asked },
    standing: {
      served,
      near_end: nearEnd,
      expired,
      soonest_end_seconds: Math.floor((soonestEnd?.getTime() ?? 0) / 1_000),
    },
  };
}

export function createCertificateStats(): CertificateStats {
  return {
    issued: 0,
    renewed: 0,
    failed: 0,
    held: 0,
    asked: 0,
    standing: { served: 0, nearEnd: 0, expired: 0, soonestEnd: null },
  };
}
