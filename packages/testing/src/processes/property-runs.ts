/** How many cases a property test tries: few in everyday runs, `full` when SOAK is set. */
export function propertyRuns(full: number): number {
  return process.env["SOAK"] === undefined ? Math.min(500, full) : full;
}
