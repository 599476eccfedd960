import { cpus, loadavg, totalmem } from "node:os";

export function printMachine(): void {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1) ?? "?";
  console.log(`${cpus().length} × ${cpu?.model ?? "unknown CPU"}, ${memory} GiB, ${process.arch}`);
  console.log(`Node ${process.version}, load average at the start ${load}\n`);
}

export function line(what: string, ...columns: readonly string[]): void {
  console.log(`${what.padEnd(46)} ${columns.map((column) => column.padStart(16)).join("")}`);
}

export function perSecond(count: number): string {
  return `${Math.round(count).toLocaleString("en")}/s`;
}

export function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The columns of `reportRatio`. */
export const frontColumns: readonly string[] = [
  "ours",
  "Caddy",
  "nginx",
  "accelerated",
  "ours ÷ Caddy",
  "acc. ÷ Caddy",
  "acc. ÷ nginx",
];

/** Ours, Caddy, nginx and ours accelerated, as far as there are values, and their shares. */
export function reportRatio(
  title: string,
  values: readonly number[],
  show: (value: number) => string,
): void {
  const [ours, caddy, nginx, accelerated] = values;
  const shown = [ours, caddy, nginx, accelerated].map((value) => orDash(value, show));
  const shares = [
    [ours, caddy],
    [accelerated, caddy],
    [accelerated, nginx],
  ].map(([one, other]) =>
    orDash(one === undefined || other === undefined ? undefined : one / other, (share) =>
      share.toFixed(2),
    ),
  );
  line(title, ...shown, ...shares);
}

function orDash(value: number | undefined, show: (value: number) => string): string {
  return value === undefined ? "–" : show(value);
}
