import { Mooring } from "@mooring/sdk";
import type { Environment } from "../api/session.ts";

const storageKey = "mooring:environment";

export function isEnvironment(text: string): text is Environment {
  return text === "test" || text === "live";
}

/** The environment that this browser showed last; live at first. */
export function lastEnvironment(): Environment {
  return storedEnvironment() ?? "live";
}

/** On a first visit the one that has something; live where both have, or none. */
export async function firstEnvironment(): Promise<Environment> {
  const stored = storedEnvironment();
  if (stored !== null) return stored;
  const [live, test] = await Promise.all([hasDomain("live"), hasDomain("test")]);
  return !live && test ? "test" : "live";
}

function storedEnvironment(): Environment | null {
  const stored = localStorage.getItem(storageKey) ?? "";
  return isEnvironment(stored) ? stored : null;
}

async function hasDomain(environment: Environment): Promise<boolean> {
  const api = new Mooring({ baseUrl: globalThis.location.origin, session: { environment } });
  const { data } = await api.connections.list({ limit: 1 }).page();
  return data.length > 0;
}

export function rememberEnvironment(environment: Environment): void {
  localStorage.setItem(storageKey, environment);
}
