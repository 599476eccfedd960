import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type Mooring } from "@mooring/sdk";
import type { DemoSettings } from "./settings.ts";
import { type DemoState, readState, writeState } from "./state.ts";

/** A state in which everything has been made. */
export interface ReadyState extends DemoState {
  readonly applicationId: string;
  readonly signingSecret: string;
}

/** The demo cannot go on, for a reason that a person can mend. */
export class DemoProblem extends Error {
  override readonly name = "DemoProblem";
}

const brand = "Harbour";

/**
 * Makes the demo's application and webhook endpoint over the API, as any customer would, unless they
 * were made before and still lead here.
 */
export async function setUpDemo(
  settings: DemoSettings,
  open: (key: string) => Mooring,
  signal: AbortSignal,
): Promise<ReadyState> {
  const state = await readState(settings.stateFile);
  if (state === null) throw new DemoProblem(`${settings.stateFile} is missing: start again`);
  if (isReady(state) && state.port === settings.port) return state;
  const client = open(state.key);
  await untilItAnswers(settings.apiUrl, signal);
  try {
    const ready = await makeAll(settings, state, client);
    await writeState(settings.stateFile, ready);
    return ready;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const mend = `remove ${settings.stateFile} and start again`;
    throw new DemoProblem(`the API refuses the demo's key (${error.code}): ${mend}`, {
      cause: error,
    });
  }
}

async function makeAll(
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

/** The API starts at the same time as we do. */
async function untilItAnswers(apiUrl: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await fetch(`${apiUrl}/healthz`, { signal }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await delay(pollMs, undefined, { signal });
  }
}
