/** The size of a long test: short by default, full with SOAK, or the value of the variable. */
function size(variable: string, short: number, soak: number): number {
  const size = Number.parseInt(process.env[variable] ?? "", 10);
  if (Number.isInteger(size) && size > 0) return size;
  return process.env["SOAK"] === undefined ? short : soak;
}

/** Requests with ids of other tenants mixed in. */
export function fuzzRequests(): number {
  return size("FUZZ_REQUESTS", 2_000, 100_000);
}

/** Idempotent creates while database sessions are killed at random. */
export function killedCreates(): number {
  return size("KILLED_CREATES", 60, 2_000);
}
