/**
 * Where a person wanted to go before they had to sign in. A link signs in at the console's root,
 * perhaps in another tab, so the way back is stored for as long as a link is valid.
 */
const storageKey = "mooring:return";
const validMs = 15 * 60_000;

export function rememberReturn(path: string): void {
  localStorage.setItem(storageKey, JSON.stringify({ path, at: Date.now() }));
}

/** The stored path, once; null when there is none, it is old, or it leads out of the console. */
export function takeReturn(): string | null {
  const stored = localStorage.getItem(storageKey);
  localStorage.removeItem(storageKey);
  if (stored === null) return null;
  try {
    const { path, at }: { readonly path?: unknown; readonly at?: unknown } = JSON.parse(stored);
    const isRecent = typeof at === "number" && Date.now() - at < validMs;
    return isRecent && typeof path === "string" && isInside(path) ? path : null;
  } catch {
    return null; // somebody else wrote it
  }
}

/** A path below the console, as the router has it, which no parser can take for another host. */
function isInside(path: string): boolean {
  return /^\/(?:live|test|operator)(?:[/?]|$)/.test(path) && !path.includes("\\");
}
