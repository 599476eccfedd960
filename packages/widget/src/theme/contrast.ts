/** Red, green and blue from 0 to 1. */
export type Rgb = readonly [number, number, number];

/** WCAG 2.2, relative luminance. */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The better readable of black and white; they meet at this luminance. */
export function isDark(colour: Rgb): boolean {
  return luminance(colour) < 0.179;
}

/** What browsers compute for a colour: `rgb(1, 2, 3)`, `rgba(…)` or `color(srgb 0 0.5 1)`. */
export function parseComputed(value: string): Rgb | null {
  const parts = [...value.matchAll(/-?\d*\.?\d+(?:e-?\d+)?/g)].map(([part]) => Number(part));
  const [red, green, blue] = parts;
  if (red === undefined || green === undefined || blue === undefined) return null;
  const scale = value.startsWith("rgb") ? 255 : 1;
  const clamp = (part: number) => Math.min(1, Math.max(0, part / scale));
  return [clamp(red), clamp(green), clamp(blue)];
}
