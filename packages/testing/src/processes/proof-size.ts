/** The size of a proof: `short` in everyday runs, `stated` when SOAK is set. */
export function proofSize(short: number, stated: number): number {
  return process.env["SOAK"] === undefined ? short : stated;
}
