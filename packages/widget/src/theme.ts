import type { Theme } from "./options.ts";

/** A validated theme: each value can only be a colour, a length or a URL. */
export interface SafeTheme {
  readonly accentColor: string | null;
  readonly accentTextColor: string | null;
  readonly background: string | null;
  readonly foreground: string | null;
  readonly radius: string | null;
  readonly logoUrl: string | null;
  readonly hideBranding: boolean;
  /** The keys of the ignored values. */
  readonly refused: readonly string[];
}

/**
 * Colours only: hexadecimal, a name, or a colour function of plain numbers. No url(), var(),
 * attr().
 */
const colour =
  /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,24}|(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([-+.,%/\s\de]*(deg|rad|turn|none)?[-+.,%/\s\de]*\))$/i;
const length = /^(0|\d{1,3}(\.\d{1,3})?(px|rem|em))$/i;
const maxLength = 100;

/** An element with a colour that this browser does not know would be invisible. */
export type IsColour = (value: string) => boolean;

export function sanitiseTheme(theme: Theme, isColour: IsColour): SafeTheme {
  const refused: string[] = [];
  const pick = <T>(key: keyof Theme, accept: (value: unknown) => T | null): T | null => {
    const value: unknown = theme[key];
    if (value === undefined || value === null) return null;
    const accepted = accept(value);
    if (accepted === null) refused.push(key);
    return accepted;
  };
  const asColour = (value: unknown) => {
    const plain = matching(value, colour);
    return plain !== null && isColour(plain) ? plain : null;
  };
  return {
    accentColor: pick("accentColor", asColour),
    accentTextColor: pick("accentTextColor", asColour),
    background: pick("background", asColour),
    foreground: pick("foreground", asColour),
    radius: pick("radius", (value) => matching(value, length)),
    logoUrl: pick("logoUrl", httpsAddress),
    hideBranding:
      pick("hideBranding", (value) => (value === true || value === false ? value : null)) ?? false,
    refused,
  };
}

function matching(value: unknown, pattern: RegExp): string | null {
  if (typeof value !== "string" || value.length > maxLength) return null;
  const plain = value.trim();
  return pattern.test(plain) ? plain : null;
}

/** Returns the parsed and re-serialised URL, so that it contains nothing else. */
function httpsAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_048) return null;
  const url = URL.parse(value);
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "") {
    return null;
  }
  return url.href;
}

/**
 * Sets a theme on the widget's root: colours as custom properties through the CSSOM (which a strict
 * CSP allows), light or dark as an attribute. Returns a function that unsubscribes from the
 * system's preference.
 */
export function applyTheme(root: HTMLElement, theme: SafeTheme): () => void {
  const set = (name: string, value: string | null) => {
    if (value !== null) root.style.setProperty(name, value);
  };
  set("--svc-background", theme.background);
  set("--svc-foreground", theme.foreground);
  set("--svc-accent", theme.accentColor);
  set("--svc-radius", theme.radius);
  const preference = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    root.dataset["scheme"] = resolveScheme(root, theme, preference.matches);
    set("--svc-accent-text", theme.accentTextColor ?? readableOn(root, theme.accentColor));
    // An accent without enough contrast on the background is used for surfaces, not for text.
    const ground = resolve(root, "var(--background)");
    const orPlain = (name: string) => {
      const text = resolve(root, name);
      const isReadable = text === null || ground === null || contrast(text, ground) >= 4.5;
      return isReadable ? name : "var(--foreground)";
    };
    root.style.setProperty("--svc-link", orPlain("var(--accent)"));
    root.style.setProperty("--svc-danger", orPlain("var(--bad)"));
  };
  paint();
  preference.addEventListener("change", paint);
  return () => preference.removeEventListener("change", paint);
}

/** By the theme's colours, or without them by the person's preference. */
function resolveScheme(
  root: HTMLElement,
  theme: SafeTheme,
  prefersDark: boolean,
): "dark" | "light" {
  const background = theme.background === null ? null : resolve(root, theme.background);
  if (background !== null) return isDark(background) ? "dark" : "light";
  const foreground = theme.foreground === null ? null : resolve(root, theme.foreground);
  if (foreground !== null) return isDark(foreground) ? "light" : "dark";
  return prefersDark ? "dark" : "light";
}

function readableOn(root: HTMLElement, ground: string | null): string | null {
  const colour = ground === null ? null : resolve(root, ground);
  if (colour === null) return null;
  return isDark(colour) ? "#fff" : "#000";
}

/** Converts any CSS colour to RGB: `color-mix` with itself makes the browser compute it. */
function resolve(root: HTMLElement, colour: string): Rgb | null {
  const probe = root.ownerDocument.createElement("span");
  probe.style.color = `color-mix(in srgb, ${colour}, ${colour})`;
  root.append(probe);
  const rgb = parseComputed(getComputedStyle(probe).color);
  probe.remove();
  return rgb;
}

/** Red, green and blue from 0 to 1. */
export type Rgb = readonly [number, number, number];

/** WCAG 2.2, relative luminance. */
function luminance(colour: Rgb): number {
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

/** Whether white text is more readable than black; both are equal at this luminance. */
export function isDark(colour: Rgb): boolean {
  return luminance(colour) < 0.179;
}

/** Parses a computed colour: `rgb(1, 2, 3)`, `rgba(…)` or `color(srgb 0 0.5 1)`. */
export function parseComputed(value: string): Rgb | null {
  const parts = [...value.matchAll(/-?\d*\.?\d+(?:e-?\d+)?/g)].map(([part]) => Number(part));
  const [red, green, blue] = parts;
  if (red === undefined || green === undefined || blue === undefined) return null;
  const scale = value.startsWith("rgb") ? 255 : 1;
  const clamp = (part: number) => Math.min(1, Math.max(0, part / scale));
  return [clamp(red), clamp(green), clamp(blue)];
}
