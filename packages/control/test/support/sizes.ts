/** How much the longer tests do: short in everyday runs, full with SOAK, or as the variable says. */
function size(variable: string, short: number, soak: number): number {
  const given = Number.parseInt(process.env[variable] ?? "", 10);
  if (Number.isInteger(given) && given > 0) return given;
  return process.env["SOAK"] === undefined ? short : soak;
}

/** Requests with mixed foreign ids. */
export function fuzzRequests(): number {
  return size("FUZZ_REQUESTS", 2_000, 100_000);
}

/** Idempotent creates while database sessions are killed at random. */
export function killedCreates(): number {
  return size("KILLED_CREATES", 60, 2_000);
}
