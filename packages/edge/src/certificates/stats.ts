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
