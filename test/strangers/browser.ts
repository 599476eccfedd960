import { launchChromium } from "@mooring/testing/browser/chromium";
import type { Browser } from "playwright-core";
import type { StrangerCase } from "./cases.ts";
import { frontUrl } from "./clients.ts";
import { type Front, hostname } from "./fronts.ts";

let launched: Promise<Browser> | null = null;

/**
 * One Chromium for all cases; the page is of the front itself, so that requests are of its origin.
 */
export async function inChromium(front: Front, script: string): Promise<string> {
  launched ??= launchChromium(
    "--no-proxy-server",
    `--host-resolver-rules=MAP ${hostname} 127.0.0.1`,
  );
  const context = await (await launched).newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    await page.goto(frontUrl(front, "/page"));
    return String(await page.evaluate(script));
  } finally {
    await context.close();
  }
}

export async function closeBrowser(): Promise<void> {
  const browser = await launched;
  launched = null;
  await browser?.close();
}

function fetched(target: string, options = "{}"): string {
  return `fetch(${JSON.stringify(target)}, ${options})
    .then(async (response) => response.status + " " + await response.text(), (error) => "failed: " + error.message)
    .then((text) => text.trim())`;
}

/** Two events, of the stream's first connection. */
const events = `new Promise((resolve) => {
  const seen = [];
  const source = new EventSource("/events");
  source.onmessage = ({ data }) => {
    seen.push(data);
    if (seen.length === 2) { source.close(); resolve(seen.join(" ")); }
  };
})`;

const upload = `{ method: "POST", body: new Uint8Array(1048576) }`;

/** An echo, and by which protocol the origin was reached. */
const webSocket = `new Promise((resolve) => {
  const seen = [];
  const socket = new WebSocket("wss://" + location.host + "/chat");
  socket.onopen = () => socket.send("hello");
  socket.onerror = () => resolve("failed");
  socket.onmessage = ({ data }) => {
    seen.push(data);
    if (seen.length === 1) socket.send("protocol");
    else { socket.close(); resolve(seen.join(" over ")); }
  };
})`;

interface PageScript {
  readonly name: string;
  readonly script: string;
  readonly isDivergence?: true;
}

/** What a page does, and the result as text; the same in every browser. */
export const pageScripts: readonly PageScript[] = [
  { name: "a body with its length", script: fetched("/length") },
  { name: "a chunked body", script: fetched("/chunked") },
  { name: "a body of HTTP/1.0, ended by the close", script: fetched("/close") },
  { name: "a body with trailers", script: fetched("/trailers") },
  { name: "an event stream", script: events },
  { name: "an upload of 1 MiB", script: fetched("/size", upload) },
  { name: "a WebSocket of the page", script: webSocket, isDivergence: true },
];

export const chromiumCases: readonly StrangerCase[] = pageScripts.map(({ script, ...about }) => ({
  client: "Chromium",
  ...about,
  run: (front) => inChromium(front, script),
}));
