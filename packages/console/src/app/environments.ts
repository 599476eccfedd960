import type { Environment } from "../api/session.ts";

const storageKey = "mooring:environment";

export function isEnvironment(text: string): text is Environment {
  return text === "test" || text === "live";
}

/** The environment that this browser showed last; live at first. */
export function lastEnvironment(): Environment {
  const stored = localStorage.getItem(storageKey) ?? "";
  return isEnvironment(stored) ? stored : "live";
}

export function rememberEnvironment(environment: Environment): void {
  localStorage.setItem(storageKey, environment);
}
