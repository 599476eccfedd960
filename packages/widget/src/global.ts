import { baseUrlOfScript, type OpenOptions } from "./options.ts";
import type { Later } from "./ui/later.tsx";
import { openWidget } from "./ui/mount.tsx";

/** `currentScript` is set only during the first run of the script. */
const { currentScript } = document;
const defaultBaseUrl = baseUrlOfScript(
  currentScript instanceof HTMLScriptElement ? currentScript.src : null,
);

declare global {
  /** The version of the later screens that belongs to this script; the build inserts it. */
  var SVC_SCREENS: string;
}

/** Loads `screens.mjs`, the bundle of `src/ui/later.tsx`. */
async function loadLater(baseUrl: string, attempt: number): Promise<Later> {
  // Browsers may cache a failed module, so each retry uses another URL.
  const url = `${baseUrl}/sdk/v1/screens.mjs?${globalThis.SVC_SCREENS}.${attempt}`;
  const module: { readonly later: Later } = await import(url);
  return module.later;
}

Object.defineProperty(window, "Svc", {
  value: Object.freeze({
    open: (options: OpenOptions) => openWidget(options, defaultBaseUrl, loadLater),
  }),
  configurable: true,
  enumerable: true,
});
