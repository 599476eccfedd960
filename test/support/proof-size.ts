/** The one size parameter of a proof: short in everyday runs, as stated with SOAK. */
export function proofSize(short: number, stated: number): number {
  return process.env["SOAK"] === undefined ? short : stated;
}
