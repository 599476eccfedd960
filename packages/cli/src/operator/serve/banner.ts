import type { Config, FirstTenant } from "@mooring/control";

/** What a start on one machine adds to the service. */
export interface LocalDetails {
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

/** The text after a start: the addresses, the keys, and commands to try. */
export function banner(
  config: Config,
  first: FirstTenant | null,
  local: LocalDetails | null = null,
  consoleUrl: string | null = null,
): Banner {
  const url = config.baseUrl;
  const docs = `${url}/docs`;
  const keys = first?.keys ?? null;
  const lines = [
    "",
    "Mooring is up.",
    "",
    `  Address   ${url}`,
    `  Docs      ${docs}`,
    ...(local ? [`  Demo      ${local.demoUrl}`] : []),
    ...(consoleUrl ? [`  Console   ${consoleUrl}`] : []),
    ...(keys ? [`  Test key  ${keys.test}`, `  Live key  ${keys.live}`] : []),
    ...(local?.rootFile ? [`  Root CA   ${local.rootFile}`] : []),
    "",
    ...(consoleUrl ? [consoleHint, ""] : []),
    ...(keys ? firstStart(config, keys.test, local) : laterStart(config)),
    "",
  ];
  return {
    text: lines.join("\n"),
    value: {
      state: "ready",
      url,
      docs,
      console: consoleUrl,
      keys,
      ...(local
        ? {
            demo: local.demoUrl,
            application_id: local.applicationId,
            root_certificate: local.rootFile,
          }
        : {}),
    },
  };
}

const consoleHint =
  "The console link signs in once, within 15 minutes. Another: npx @mooring/server console link --tenant Default --role owner";

function firstStart(config: Config, test: string, local: LocalDetails | null): string[] {
  const url = config.baseUrl;
  if (!local) {
    return [
      "The keys are shown this once. Try:",
      "",
      `  curl -H 'Authorization: Bearer ${test}' ${url}/v1/applications`,
    ];
  }
  return [
    "The keys are shown this once. Open the demo, or connect a domain from a shell:",
    "",
    `  ${exportLine(config, test, local)}`,
    "",
    ...tryLines(config, local).map((line) => `  ${line}`),
    ...trust(local),
  ];
}

/** The variables that the later commands and the tour in README.md use. */
function exportLine(config: Config, key: string, local: LocalDetails): string {
  const values = {
    MOORING_URL: config.baseUrl,
    MOORING_API_KEY: key,
    MOORING_APP: local.applicationId,
    MOORING_EDGE_PORT: String(config.edgeHttpsPort),
    MOORING_ROOT: local.rootFile ?? "",
  };
  const words = Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`);
  return `export ${words.join(" ")}`;
}

/** Quotes a value for a shell unless it is a plain word. */
function quoted(value: string): string {
  return /^[\w./:@+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

/**
 * Creates a connection, adds its one record, visits the site; each line can be pasted, and all of
 * them again: the name is another each time. A visit that fails shows what is missing.
 */
function tryLines(config: Config, { rootFile }: LocalDetails): string[] {
  const authorization = `-H "Authorization: Bearer $MOORING_API_KEY"`;
  const headers = `${authorization} -H "Content-Type: application/json"`;
  const choose = "ZONE=hello-$(date +%s).test";
  const create =
    `TARGET=$(curl -s $MOORING_URL/v1/connections ${headers} ` +
    `-d '{"application_id":"'$MOORING_APP'","hostname":"www.'$ZONE'"}' | tee /dev/stderr | grep -o '"target":"[^"]*' | cut -d '"' -f 4)`;
  const publish =
    `curl -s -X PUT $MOORING_URL/v1/sandbox/zones/$ZONE/records ${headers} ` +
    `-d '{"records":[{"host":"www","type":"CNAME","value":"'$TARGET'"}]}'`;
  const visit =
    `curl -s --retry 30 --retry-delay 1 --retry-all-errors --cacert "$MOORING_ROOT" ` +
    `--resolve www.$ZONE:$MOORING_EDGE_PORT:${edgeAddress(config)} https://www.$ZONE:$MOORING_EDGE_PORT/ ` +
    `|| curl -s "$MOORING_URL/v1/connections?q=www.$ZONE" ${authorization}`;
  return [choose, create, publish, ...(rootFile === null ? [] : [visit])];
}

function edgeAddress({ edgeHost: host }: Config): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

function trust({ rootFile }: LocalDetails): string[] {
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

function laterStart({ baseUrl, isProduction }: Config): string[] {
  const key = "  npx @mooring/server keys create --tenant Default --environment test --name mine";
  const link = "  npx @mooring/server console link --tenant Default --role owner";
  const ways = isProduction
    ? ["A key, and the way into the console:", "", key, link]
    : ["The keys were shown at the first start. Another one:", "", key];
  return [...ways, "", "Try:", "", `  curl ${baseUrl}/healthz`];
}
