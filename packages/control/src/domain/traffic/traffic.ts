/** What visitors asked of a name, or of many together, in some time. */
export interface TrafficNumbers {
  /** Clients that disconnected before the response. */
  readonly aborted: number;
  readonly status1xx: number;
  readonly status2xx: number;
  readonly status3xx: number;
  readonly status4xx: number;
  readonly status5xx: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly handshakes: number;
  readonly refused: number;
  /** How often the origin took how long, by bucket. */
  readonly originTimes: ReadonlyMap<number, number>;
}

/** How much of the counts of some time has come from the edges. */
export interface Coverage {
  /** Minutes in which edge processes ran, of each process. */
  readonly expected: number;
  readonly reported: number;
  /** Requests that could not be counted for their application. */
  readonly others: number;
}

export const noTrafficNumbers: TrafficNumbers = {
  aborted: 0,
  status1xx: 0,
  status2xx: 0,
  status3xx: 0,
  status4xx: 0,
  status5xx: 0,
  bytesIn: 0,
  bytesOut: 0,
  handshakes: 0,
  refused: 0,
  originTimes: new Map(),
};

export const noCoverage: Coverage = { expected: 0, reported: 0, others: 0 };

export function addNumbers(one: TrafficNumbers, other: TrafficNumbers): TrafficNumbers {
  const originTimes = new Map(one.originTimes);
  for (const [bucket, count] of other.originTimes) {
    originTimes.set(bucket, (originTimes.get(bucket) ?? 0) + count);
  }
  return {
    aborted: one.aborted + other.aborted,
    status1xx: one.status1xx + other.status1xx,
    status2xx: one.status2xx + other.status2xx,
    status3xx: one.status3xx + other.status3xx,
    status4xx: one.status4xx + other.status4xx,
    status5xx: one.status5xx + other.status5xx,
    bytesIn: one.bytesIn + other.bytesIn,
    bytesOut: one.bytesOut + other.bytesOut,
    handshakes: one.handshakes + other.handshakes,
    refused: one.refused + other.refused,
    originTimes,
  };
}

export function addCoverage(one: Coverage, other: Coverage): Coverage {
  return {
    expected: one.expected + other.expected,
    reported: one.reported + other.reported,
    others: one.others + other.others,
  };
}

export function countRequests(numbers: TrafficNumbers): number {
  const { aborted, status1xx, status2xx, status3xx, status4xx, status5xx } = numbers;
  return aborted + status1xx + status2xx + status3xx + status4xx + status5xx;
}

const countBits = 2n ** 40n;

/** The buckets as the database has them: the count in the lower 40 bits. */
export function unpackTimes(packed: readonly string[]): ReadonlyMap<number, number> {
  return new Map(
    packed.map((text) => {
      const value = BigInt(text);
      return [Number(value / countBits), Number(value % countBits)];
    }),
  );
}

/** Buckets grow by the fourth root of two, from a millisecond; the last has no upper bound. */
const perDoubling = 4;
const lastBucket = 65;

/** In milliseconds, of the smallest time that `share` of all do not exceed; null without any. */
export function percentile(times: ReadonlyMap<number, number>, share: number): number | null {
  const buckets = [...times].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}

/** Between the bounds by ratio. */
function middleOf(bucket: number): number {
  if (bucket <= 0) return 1;
  if (bucket >= lastBucket) return 2 ** ((lastBucket - 1) / perDoubling);
  return 2 ** ((bucket - 0.5) / perDoubling);
}
