import { ConnectionError } from "@mooring/sdk";

/** Makes the address of each further attempt another one. */
let attempts = 0;

/**
 * Loads code that is not part of the first script. A browser may remember that a module could not
 * be read, and refuse it until the page is loaded again: without a network it is not asked, and a
 * refused one is asked for by another address once the service has it.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) throw new ConnectionError("the browser is offline");
  try {
    return await load();
  } catch (error) {
    const address = findAddress(error);
    // The same file of an earlier release is gone: the router loads the page again.
    if (address === null || !(await isThere(address, error))) throw error;
    attempts += 1;
    return await import(`${address}?attempt=${attempts}`);
  }
}

/** The address of the module in the browser's message. Safari names none. */
function findAddress(error: unknown): string | null {
  const found = error instanceof TypeError ? /https?:\/\/\S+\.m?js/.exec(error.message) : null;
  return found?.[0] ?? null;
}

async function isThere(address: string, cause: unknown): Promise<boolean> {
  const response = await fetch(address).catch(() => null);
  if (response === null || response.status >= 500) {
    throw new ConnectionError("the code of this view could not be read", { cause });
  }
  return response.ok;
}
