/** May this name have a certificate? Anything but a clear yes is a no. */
export interface Permission {
  isAllowed(hostname: string, signal: AbortSignal): Promise<boolean>;
}

const timeoutMs = 5_000;

/** Asks the control plane. Fails closed: error, timeout, redirect, other status, other body. */
export function createPermission(askUrl: string, fetch: typeof globalThis.fetch): Permission {
  return {
    async isAllowed(hostname, signal) {
      const url = new URL(askUrl);
      url.searchParams.set("domain", hostname);
      try {
        const response = await fetch(url, {
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        if (response.status !== 200) return false;
        const body: unknown = await response.json();
        return typeof body === "object" && body !== null && "allow" in body && body.allow === true;
      } catch {
        return false;
      }
    },
  };
}
