import type { Config, NewTenant } from "@mooring/control";

/** What stands around the service on one machine. */
export interface Surroundings {
  readonly demoUrl: string;
  /** The demo's application, in the test environment. */
  readonly applicationId: string;
  /** Where the local CA's root was written; null while an ACME directory is used instead. */
  readonly rootFile: string | null;
}

interface Banner {
  readonly text: string;
  readonly value: object;
}

/** What a start says once everything is up: where, with which keys, and lines to try. */
export function banner(
  config: Config,
  first: NewTenant | null,
  around: Surroundings | null = null,
): Banner {
  const url = config.baseUrl;
  const docs = `${url}/docs`;
  const lines = [
    "",
    "Mooring is up.",
    "",
    `  Address   ${url}`,
    `  Docs      ${docs}`,
    ...(around ? [`  Demo      ${around.demoUrl}`] : []),
    ...(first ? [`  Test key  ${first.keys.test}`, `  Live key  ${first.keys.live}`] : []),
    ...(around?.rootFile ? [`  Root CA   ${around.rootFile}`] : []),
    "",
    ...(first ? firstStart(config, first, around) : laterStart(url)),
    "",
  ];
  return {
    text: lines.join("\n"),
    value: {
      state: "ready",
      url,
      docs,
      keys: first ? first.keys : null,
      ...(around
        ? {
            demo: around.demoUrl,
            application_id: around.applicationId,
            root_certificate: around.rootFile,
          }
        : {}),
    },
  };
}

function firstStart(config: Config, first: NewTenant, around: Surroundings | null): string[] {
  const url = config.baseUrl;
  const { test } = first.keys;
  if (!around) {
    return [
      "The keys are shown this once. Try:",
      "",
      `  curl -H 'Authorization: Bearer ${test}' ${url}/v1/applications`,
    ];
  }
  return [
    "The keys are shown this once. Open the demo, or connect a domain from a shell:",
    "",
    `  ${exportLine(config, test, around)}`,
    "",
    ...tryLines(config, around).map((line) => `  ${line}`),
    ...trust(around),
  ];
}

/** One line that every later one, and the tour in README.md, stands on. */
function exportLine(config: Config, key: string, around: Surroundings): string {
  const values = {
    MOORING_URL: config.baseUrl,
    MOORING_API_KEY: key,
    MOORING_APP: around.applicationId,
    MOORING_EDGE_PORT: String(config.edgeHttpsPort),
    MOORING_ROOT: around.rootFile ?? "",
  };
  const words = Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`);
  return `export ${words.join(" ")}`;
}

/** Plain words stay as they are; a shell takes everything else as it stands in single quotes. */
function quoted(value: string): string {
  return /^[\w./:@+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Create, do what the customer would do, visit. Each works as it is when it is pasted. */
function tryLines(config: Config, { rootFile }: Surroundings): string[] {
  const headers = `-H "Authorization: Bearer $MOORING_API_KEY" -H "Content-Type: application/json"`;
  const create =
    `VALUE=$(curl -s $MOORING_URL/v1/connections ${headers} ` +
    `-d '{"application_id":"'$MOORING_APP'","hostname":"www.hello.test"}' | grep -o 'service-verify=[^"]*')`;
  const publish =
    `curl -s -X PUT $MOORING_URL/v1/sandbox/zones/hello.test/records ${headers} ` +
    `-d '{"records":[{"host":"_service-challenge.www","type":"TXT","value":"'$VALUE'"},` +
    `{"host":"www","type":"CNAME","value":"${config.edgeCname}"}]}'`;
  const visit =
    `curl -s --retry 30 --retry-delay 1 --retry-all-errors --cacert "$MOORING_ROOT" ` +
    `--resolve www.hello.test:$MOORING_EDGE_PORT:${edgeAddress(config)} https://www.hello.test:$MOORING_EDGE_PORT/`;
  return rootFile === null ? [create, publish] : [create, publish, visit];
}

function edgeAddress({ edgeHost: host }: Config): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

function trust({ rootFile }: Surroundings): string[] {
  if (rootFile === null) return [];
  const how = {
    darwin: `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${quoted(rootFile)}`,
    win32: `certutil -user -addstore Root ${quoted(rootFile)}`,
  };
  const known: Readonly<Record<string, string | undefined>> = how;
  const command =
    known[process.platform] ??
    `sudo cp ${quoted(rootFile)} /usr/local/share/ca-certificates/mooring.crt && sudo update-ca-certificates`;
  return [
    "",
    "To open sandbox names in your own browser, trust the root once (any time later):",
    "",
    `  ${command}`,
  ];
}

function laterStart(url: string): string[] {
  return [
    "The keys were shown at the first start. Another one:",
    "",
    "  npx mooring keys create --tenant Default --environment test --name mine",
    "",
    "Try:",
    "",
    `  curl ${url}/healthz`,
  ];
}
