import { contrast, isDark, parseComputed, type Rgb } from "./contrast.ts";
import type { SafeTheme } from "./sanitise.ts";

/**
 * Sets a theme on the widget's root: colours as custom properties through the CSSOM (which a strict
 * CSP allows), light or dark as an attribute. Returns what undoes the subscription to the system's
 * preference.
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
    root.dataset["scheme"] = schemeOf(root, theme, preference.matches);
    set("--svc-accent-text", theme.accentTextColor ?? readableOn(root, theme.accentColor));
    // An accent that cannot be read as text on this ground is used for surfaces only.
    const link = resolve(root, "var(--accent)");
    const ground = resolve(root, "var(--background)");
    const isReadable = link === null || ground === null || contrast(link, ground) >= 4.5;
    root.style.setProperty("--svc-link", isReadable ? "var(--accent)" : "var(--foreground)");
  };
  paint();
  preference.addEventListener("change", paint);
  return () => preference.removeEventListener("change", paint);
}

/** The theme's own colours decide; without them the person's preference does. */
function schemeOf(root: HTMLElement, theme: SafeTheme, prefersDark: boolean): "dark" | "light" {
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

/** Any colour in numbers, whatever its notation: the browser mixes it with itself. */
function resolve(root: HTMLElement, colour: string): Rgb | null {
  const probe = root.ownerDocument.createElement("span");
  probe.style.color = `color-mix(in srgb, ${colour}, ${colour})`;
  root.append(probe);
  const rgb = parseComputed(getComputedStyle(probe).color);
  probe.remove();
  return rgb;
}
