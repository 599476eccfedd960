import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Page, signWebhook, type WebhookEvent } from "@mooring/sdk";
import { type Command, InvalidArgumentError } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { processEnvironment } from "../../config.ts";
import type { Output } from "../../output.ts";
import { listenForEnd } from "../../process-control.ts";
import { type ApiCall, apiCommand, examples, persist } from "../api-command.ts";
import { usageFailure } from "../explain.ts";
import { isTextList, textOrNull } from "../input.ts";

const everyMs = 1_000;

export function addListen(program: Command, action: RegisterAction): void {
  const listen = program
    .command("listen")
    .description("print events as they happen, and forward them to a local URL")
    .option("--forward-to <url>", "post each event there, signed as a delivery is", checkedUrl)
    .option("--application <id>", "only events of this application")
    .option("--types <kinds>", "only these kinds, separated by commas", parseKinds);
  examples(
    listen,
    "mooring listen",
    "mooring listen --forward-to http://localhost:3000/webhooks --types domain.drift",
  );
  listen.addHelpText(
    "after",
    "\nForwarded events are signed with MOORING_WEBHOOK_SECRET, or with a fresh secret that is\nprinted at the start. A forwarded event is sent once and not retried.",
  );
  const run = async (call: ApiCall): Promise<number> => {
    const end = listenForEnd();
    try {
      await follow(call, end.signal);
      return exitCode.done;
    } catch (error) {
      if (end.signal.aborted) return exitCode.done;
      throw error;
    } finally {
      end.release();
    }
  };
  // `persist` retries instead, and reports each pause.
  apiCommand(action, listen, run, { retries: 0 });
}

async function follow({ client, output, options }: ApiCall, signal: AbortSignal): Promise<void> {
  const target = textOrNull(options["forwardTo"]);
  const application = textOrNull(options["application"]);
  const kinds = isTextList(options["types"]) ? options["types"] : [];
  const secret = target === null ? null : sessionSecret();
  const query = { limit: 100, ...(application === null ? {} : { application_id: application }) };
  announce(output, target, secret);
  const events = followEvents(() => client.events.list(query, { signal }).pages(), {
    pause: () => delay(everyMs, undefined, { signal }),
    persist: (read) => persist(output.progress, signal, read),
  });
  for await (const event of events) {
    if (kinds.length > 0 && !kinds.includes(event.type)) continue;
    const forwarded =
      target === null || secret === null ? null : await forwardEvent(target, event, secret, signal);
    output.item(eventLine(event, forwarded), forwarded === null ? event : { ...event, forwarded });
  }
}

/** `whsec_` and the standard base64 of 32 random bytes, like the secret of an endpoint. */
function sessionSecret(): string {
  const own = textOrNull(processEnvironment()["MOORING_WEBHOOK_SECRET"]);
  if (own === null) return `whsec_${randomBytes(32).toString("base64")}`;
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(own)) return own;
  throw usageFailure("MOORING_WEBHOOK_SECRET must be whsec_ and base64");
}

function announce(output: Output, target: string | null, secret: string | null): void {
  if (target === null || secret === null) {
    output.progress("Listening for events. Ctrl-C ends it.", { status: "listening" });
    return;
  }
  output.progress(`Forwarding events to ${target}. Ctrl-C ends it.\nSigning secret: ${secret}`, {
    status: "listening",
    forward_to: target,
    signing_secret: secret,
  });
}

function eventLine(event: WebhookEvent, forwarded: Forwarded | null): string {
  const { connection } = event.data;
  const about =
    connection === null
      ? event.application_id
      : `${connection.hostname}  ${connection.state}  ${connection.id}`;
  return `${event.created_at}  ${event.type}  ${about}${forwardedText(forwarded)}`;
}

function forwardedText(forwarded: Forwarded | null): string {
  if (forwarded === null) return "";
  const outcome = "status" in forwarded ? forwarded.status : forwarded.error;
  return `  -> ${outcome} in ${forwarded.ms} ms`;
}

function checkedUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("Give an http or https URL.");
}

function parseKinds(text: string): readonly string[] {
  const kinds = text.split(",").map((kind) => kind.trim());
  if (kinds.includes("")) throw new InvalidArgumentError("Give kinds separated by commas.");
  return kinds;
}

interface FollowOptions {
  /** Resolves after the polling interval; rejects when listening ends. */
  readonly pause: () => Promise<void>;
  /** Reads, and retries after a passing failure. */
  readonly persist: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * Events do not commit in the order of their times. A late one may be this much older than one that
 * was read before.
 */
const overlapMs = 30_000;

/**
 * Yields the events from now on, oldest first and each once, by polling the list. Each call of
 * `pages` starts at the newest event.
 */
export async function* followEvents(
  pages: () => AsyncIterable<Page<WebhookEvent>>,
  { pause, persist }: FollowOptions,
): AsyncGenerator<WebhookEvent> {
  let seen = new Map<string, number>();
  let newest = Number.NEGATIVE_INFINITY;
  for (let isFirst = true; ; isFirst = false) {
    const horizon = isFirst ? null : newest - overlapMs;
    const recent = await persist(() => eventsSince(pages(), horizon));
    const fresh = recent.filter(({ id }) => !seen.has(id));
    newest = Math.max(newest, ...recent.map(eventTimeMs));
    for (const event of recent) seen.set(event.id, eventTimeMs(event));
    seen = new Map([...seen].filter(([, at]) => at >= newest - overlapMs));
    if (!isFirst) yield* fresh.reverse();
    await pause();
  }
}

/**
 * The events from the newest back to the horizon, or without one to the newest minus the overlap.
 */
async function eventsSince(
  pages: AsyncIterable<Page<WebhookEvent>>,
  horizon: number | null,
): Promise<WebhookEvent[]> {
  const found: WebhookEvent[] = [];
  let end = horizon;
  for await (const { data } of pages) {
    for (const event of data) {
      end ??= eventTimeMs(event) - overlapMs;
      if (eventTimeMs(event) < end) return found;
      found.push(event);
    }
  }
  return found;
}

function eventTimeMs(event: WebhookEvent): number {
  return Date.parse(event.created_at);
}

const timeoutMs = 15_000;

/** How a local receiver answered an event; it is not retried. */
type Forwarded =
  | { readonly status: number; readonly ms: number }
  | { readonly error: string; readonly ms: number };

/** Sends an event as the service would, signed with the secret of this session. */
async function forwardEvent(
  url: string,
  event: WebhookEvent,
  secret: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: await signWebhook(body, { secret, id: event.id, type: event.type }),
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: elapsed() };
  } catch (error) {
    signal.throwIfAborted();
    return { error: reasonText(error), ms: elapsed() };
  }
}

/** `fetch` reports only that it failed; the reason is its cause. */
function reasonText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? cause.message || error.message : error.message;
}
