import type { Config, NewTenant } from "@mooring/control";

/** What a start says once everything is up: where, with which keys, and one line to try. */
export function banner(
  config: Config,
  first: NewTenant | null,
): { readonly text: string; readonly value: object } {
  const url = config.BASE_URL;
  const docs = `${url}/docs`;
  const shown = first ? firstStart(url, first) : laterStart(url);
  const lines = [
    "",
    "Mooring is up.",
    "",
    `  Address   ${url}`,
    `  Docs      ${docs}`,
    ...shown,
    "",
  ];
  return {
    text: lines.join("\n"),
    value: { state: "ready", url, docs, keys: first ? first.keys : null },
  };
}

function firstStart(url: string, first: NewTenant): string[] {
  return [
    `  Test key  ${first.keys.test}`,
    `  Live key  ${first.keys.live}`,
    "",
    "The keys are shown this once. Try:",
    "",
    `  curl -H 'Authorization: Bearer ${first.keys.test}' ${url}/v1/applications`,
  ];
}

function laterStart(url: string): string[] {
  return [
    "",
    "The keys were shown at the first start. Another one:",
    "",
    "  npx mooring keys create --tenant Default --environment test --name mine",
    "",
    "Try:",
    "",
    `  curl ${url}/healthz`,
  ];
}
