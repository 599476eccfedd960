const day = 86_400_000;

/** When to renew: at a third of the life left, or half of a short one; spread so that no two herd. */
export function renewAt(
  certificate: { readonly notBefore: Date; readonly notAfter: Date },
  random: number,
): Date {
  const life = certificate.notAfter.getTime() - certificate.notBefore.getTime();
  const left = life < 10 * day ? life / 2 : life / 3;
  // Up to 5 % of the life earlier, never later.
  return new Date(certificate.notAfter.getTime() - left - random * life * 0.05);
}

/** The wait after each failure in a row: 1, 10, 100 minutes, then a day; ±10 %. */
const backoffMs = [60_000, 600_000, 6_000_000, day];

export function retryMs(failures: number, random: number): number {
  const step = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? day;
  return Math.round(step * (0.9 + random * 0.2));
}
