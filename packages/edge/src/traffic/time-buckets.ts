/**
 * Times in buckets whose bounds grow by the fourth root of two, from a millisecond to a minute:
 * bucket `i` has what took at most 2^(i/4) ms and more than the bucket before. Counts of the same
 * buckets are added up without any loss; a percentile of them is off by less than a tenth.
 */
export const bucketCount = 66;

const perDoubling = 4;
const last = bucketCount - 1;

/** The first takes all up to a millisecond, the last all above 65.5 s. */
export function bucketFor(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(last, Math.ceil(Math.log2(ms) * perDoubling));
}

/** A bucket and its count as one number, as the database has it: the count in the lower 40 bits. */
export function packBucket(bucket: number, count: number): number {
  return bucket * 2 ** 40 + count;
}
