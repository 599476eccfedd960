/** In milliseconds, but for `promoteAt`, which is in requests a second. */
export interface PromoterTimes {
  readonly tickMs: number;
  readonly rankMs: number;
  readonly promoteAt: number;
  /** HAProxy serves fast no longer than this after the last tick. */
  readonly leaseMs: number;
  /** How long the Node edge serves the connections of a demoted name before all is taken away. */
  readonly retireMs: number;
  /** How long a name whose origin has failed is left to the Node edge. */
  readonly failedMs: number;
  /** How often the addresses of an origin are looked up again. */
  readonly resolveMs: number;
}

export const defaultTimes: PromoterTimes = {
  tickMs: 500,
  rankMs: 5_000,
  promoteAt: 2,
  leaseMs: 2_000,
  retireMs: 60_000,
  failedMs: 300_000,
  resolveMs: 30_000,
};
