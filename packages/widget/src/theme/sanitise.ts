import type { Theme } from "../options.ts";

/** What is left of a theme: values that can only ever be what their key says. */
export interface SafeTheme {
  readonly accentColor: string | null;
  readonly accentTextColor: string | null;
  readonly background: string | null;
  readonly foreground: string | null;
  readonly radius: string | null;
  readonly logoUrl: string | null;
  readonly hideBranding: boolean;
  /** Keys whose values were left out. */
  readonly refused: readonly string[];
}

/** Colours only: hexadecimal, a name, or a colour function of plain numbers. No url(), var(), attr(). */
const colour =
  /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,24}|(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([-+.,%/\s\de]*(deg|rad|turn|none)?[-+.,%/\s\de]*\))$/i;
const length = /^(0|\d{1,3}(\.\d{1,3})?(px|rem|em))$/i;
const longest = 100;

/** A value that is no colour to this browser would make what depends on it vanish. */
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
  if (typeof value !== "string" || value.length > longest) return null;
  const plain = value.trim();
  return pattern.test(plain) ? plain : null;
}

/** Parsed and written anew, so that nothing but an address is left. */
function httpsAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_048) return null;
  const url = URL.parse(value);
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "") {
    return null;
  }
  return url.href;
}
