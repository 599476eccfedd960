const units = ["B", "KB", "MB", "GB", "TB"] as const;

export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: digits })} ${units[unit]}`;
}

export function countText(count: number): string {
  return count.toLocaleString();
}

export function millisecondsText(ms: number | null): string {
  if (ms === null) return "–";
  return ms >= 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}
