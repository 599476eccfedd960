/** The size of a proof: `short` in everyday runs, `stated` when SOAK is set. */
export function proofSize(short: number, stated: number): number {
  return process.env["SOAK"] === undefined ? short : stated;
}

/** All variants when SOAK is set; in everyday runs the one whose turn it is. */
export function proofVariants<T>(variants: readonly T[], turn: number): readonly T[] {
  return variants.filter((_, index) => index === proofSize(turn % variants.length, index));
}
