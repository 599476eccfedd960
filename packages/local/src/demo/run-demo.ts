import { setTimeout as delay } from "node:timers/promises";
import { listenForEnd, reportReady, waitForBegin } from "@mooring/cli/process-control";
import { ApiError, Mooring } from "@mooring/sdk";
import { createFeed } from "./feed.ts";
import { createSandboxDns } from "./sandbox-dns.ts";
import { type DemoServer, startServer } from "./server.ts";
import {
  type DemoSettings,
  type DemoState,
  parseSettings,
  type ReadyState,
  readState,
  writeState,
} from "./state.ts";

// Not from the package's index: this process needs none of the servers behind it.

/** The demo's process: an example product with its backend, customer sites and webhook receiver. */
export async function runDemo(argument: string | undefined): Promise<number> {
  const end = listenForEnd();
  const settings = parseSettings(argument);
  const server = await startServer(settings);
  try {
    await Promise.race([waitForBegin(), end.asked]);
    if (!end.signal.aborted) await openDemo(settings, server, end.signal);
    reportReady();
    await end.asked;
    return 0;
  } finally {
    await server.close();
    end.release();
  }
}

async function openDemo(
  settings: DemoSettings,
  server: DemoServer,
  signal: AbortSignal,
): Promise<void> {
  const open = (apiKey: string): Mooring => new Mooring({ baseUrl: settings.apiUrl, apiKey });
  try {
    const state = await setUpDemo(settings, open, signal);
    const client = open(state.key);
    const dns = createSandboxDns(client, state.applicationId);
    server.open({ settings, state, client, dns, feed: createFeed() });
  } catch (error) {
    if (signal.aborted) return;
    // The service runs without its demo, whose page shows the reason.
    if (!(error instanceof DemoProblem)) throw error;
    server.explain(`The demo is not available: ${error.message}.`);
    process.stderr.write(`mooring: demo: ${error.message}\n`);
  }
}

/** The demo cannot run, for a reason that the user can fix. */
class DemoProblem extends Error {
  override readonly name = "DemoProblem";
}

const brand = "Harbour";

/**
 * Creates the demo's application and webhook endpoint over the API, as any customer would, unless
 * they exist and have the right port.
 */
async function setUpDemo(
  settings: DemoSettings,
  open: (key: string) => Mooring,
  signal: AbortSignal,
): Promise<ReadyState> {
  const state = await readState(settings.stateFile);
  if (state === null) throw new DemoProblem(`${settings.stateFile} is missing: start again`);
  if (isReady(state) && state.port === settings.port) return state;
  const client = open(state.key);
  await waitForApi(settings.apiUrl, signal);
  try {
    const ready = await createAll(settings, state, client);
    await writeState(settings.stateFile, ready);
    return ready;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const fix = `remove ${settings.stateFile} and start again`;
    throw new DemoProblem(`the API refuses the demo's key (${error.code}): ${fix}`, {
      cause: error,
    });
  }
}

async function createAll(
  settings: DemoSettings,
  state: DemoState,
  client: Mooring,
): Promise<ReadyState> {
  const site = `http://127.0.0.1:${settings.port}`;
  const url = `${site}/webhooks`;
  const applicationId =
    state.applicationId ?? (await client.applications.create({ name: brand, origin_url: site })).id;
  if (state.applicationId !== null) {
    await client.applications.update(applicationId, { origin_url: site });
  }
  const port = settings.port;
  const { endpointId, signingSecret } = state;
  if (endpointId !== null && signingSecret !== null) {
    await client.webhookEndpoints.update(endpointId, { url });
    return { ...state, applicationId, signingSecret, port };
  }
  const endpoint = await client.webhookEndpoints.create({ application_id: applicationId, url });
  return {
    ...state,
    applicationId,
    endpointId: endpoint.id,
    signingSecret: endpoint.signing_secret,
    port,
  };
}

function isReady(state: DemoState): state is ReadyState {
  return state.applicationId !== null && state.signingSecret !== null;
}

const pollMs = 100;

/** The API starts at the same time as the demo. */
async function waitForApi(apiUrl: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await fetch(`${apiUrl}/healthz`, { signal }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await delay(pollMs, undefined, { signal });
  }
}
