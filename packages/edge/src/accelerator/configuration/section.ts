export function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** One for each process of the Node edge. */
export function servers(
  count: number,
  at: (worker: number) => string,
  options: string,
): readonly string[] {
  return Array.from({ length: count }, (_, worker) => `server w${worker} ${at(worker)} ${options}`);
}

/** Whether the promoter has renewed its lease; `now` is a variable with the time. */
export function isLeased(lease: string, now: string): string {
  return `str(lease),map_str_int(${lease},0),sub(${now}) gt 0`;
}
