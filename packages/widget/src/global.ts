import { baseUrlOfScript, type OpenOptions } from "./options.ts";
import type { Later } from "./ui/later.tsx";
import { openWidget } from "./ui/mount.tsx";

/** Only while the script runs for the first time does the page say which one it is. */
const { currentScript } = document;
const defaultBaseUrl = baseUrlOfScript(
  currentScript instanceof HTMLScriptElement ? currentScript.src : null,
);

declare global {
  /** Which release of the later screens belongs to this script; the build writes it. */
  var SVC_SCREENS: string;
}

/** The second request; `src/ui/later.tsx` is what is served there. */
async function loadLater(baseUrl: string, attempt: number): Promise<Later> {
  // Browsers may remember that a module failed, so that another try needs another address.
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
