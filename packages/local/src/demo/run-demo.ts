// Not from the package's index: this process needs none of the servers behind it.
import { isHeldBack } from "@mooring/cli/config";
import { listenForEnd } from "@mooring/cli/end-request";
import { mayBegin, readyMessage } from "@mooring/cli/supervisor";
import { Mooring } from "@mooring/sdk";
import { createFeed } from "./feed.ts";
import { createSandboxDns } from "./sandbox-dns.ts";
import { type DemoServer, startServer } from "./server.ts";
import { DemoProblem, setUpDemo } from "./set-up.ts";
import { type DemoSettings, parseSettings } from "./settings.ts";

/** The demo's process: a pretend product with its backend, its customers' sites, its webhook receiver. */
export async function runDemo(argument: string | undefined): Promise<number> {
  const end = listenForEnd();
  const settings = parseSettings(argument);
  const server = await startServer(settings);
  try {
    await Promise.race([mayBegin(isHeldBack()), end.asked]);
    if (!end.signal.aborted) await openDemo(settings, server, end.signal);
    if (process.send && process.connected) process.send(readyMessage);
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
    // The service itself is well: it goes on without its demo, which says why.
    if (!(error instanceof DemoProblem)) throw error;
    server.explain(`The demo is not available: ${error.message}.`);
    process.stderr.write(`mooring: demo: ${error.message}\n`);
  }
}
