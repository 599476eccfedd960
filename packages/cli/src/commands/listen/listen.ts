import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, MooringError, type WebhookEvent } from "@mooring/sdk";
import { type Command, InvalidArgumentError } from "commander";
import type { RegisterAction } from "../../action.ts";
import { processEnvironment } from "../../config.ts";
import { listenForEnd } from "../../end-request.ts";
import { exitCode } from "../../exit-code.ts";
import type { Output } from "../../output.ts";
import { ClientError, given, openClient, withApiOptions } from "../client.ts";
import { followEvents } from "./follow-events.ts";
import { type Forwarded, forwardEvent } from "./forward.ts";

const everyMs = 1_000;
const longestMs = 30_000;

export function addListen(program: Command, action: RegisterAction): void {
  const listen = withApiOptions(program.command("listen"))
    .description("print events as they happen, and forward them to a local URL")
    .option("--forward-to <url>", "post each event there, signed as a delivery is", checkedUrl)
    .option("--application <id>", "only events of this application")
    .option("--types <kinds>", "only these kinds, separated by commas", kindsOf)
    .addHelpText(
      "after",
      "\nForwarded events are signed with MOORING_WEBHOOK_SECRET, or with a fresh secret that is\nprinted at the start. A forwarded event is sent once and not tried again.",
    );
  action(listen, async (output, _, options) => {
    const end = listenForEnd();
    try {
      await run(output, options, end.signal);
      return exitCode.done;
    } catch (error) {
      if (end.signal.aborted) return exitCode.done;
      return failed(output, error);
    } finally {
      end.release();
    }
  });
}

async function run(
  output: Output,
  options: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const client = openClient(options);
  const target = given(options["forwardTo"]);
  const application = given(options["application"]);
  const kinds = isTextList(options["types"]) ? options["types"] : [];
  const secret = target === null ? null : sessionSecret();
  const query = { limit: 100, ...(application === null ? {} : { application_id: application }) };
  announce(output, target, secret);
  const follow = followEvents(() => client.events.list(query, { signal }).pages(), {
    pause: () => delay(everyMs, undefined, { signal }),
    persist: (read) => persist(output, signal, read),
  });
  for await (const event of follow) {
    if (kinds.length > 0 && !kinds.includes(event.type)) continue;
    const forwarded =
      target === null || secret === null ? null : await forwardEvent(target, event, secret, signal);
    output.item(lineOf(event, forwarded), forwarded === null ? event : { ...event, forwarded });
  }
}

/** Reads again, ever more slowly, while the API is away; any other error ends the command. */
async function persist<T>(output: Output, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (let waitMs = everyMs; ; waitMs = Math.min(2 * waitMs, longestMs)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MooringError) || !isPassing(error)) throw error;
      const text = `the API is away (${error.message}), trying again in ${waitMs / 1_000} s`;
      output.progress(text, { status: "away", message: error.message, retry_in_ms: waitMs });
      await delay(waitMs, undefined, { signal });
    }
  }
}

function isPassing(error: MooringError): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}

/** `whsec_` and the standard base64 of 32 random bytes, as an endpoint's own. */
function sessionSecret(): string {
  const own = given(processEnvironment()["MOORING_WEBHOOK_SECRET"]);
  if (own === null) return `whsec_${randomBytes(32).toString("base64")}`;
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(own)) return own;
  throw new ClientError("MOORING_WEBHOOK_SECRET must be whsec_ and base64");
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

function lineOf(event: WebhookEvent, forwarded: Forwarded | null): string {
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

function failed(output: Output, error: unknown): number {
  if (error instanceof ClientError) {
    output.failure([error.message], { code: "usage", message: error.message });
    return exitCode.usage;
  }
  if (!(error instanceof MooringError)) throw error;
  const code = error instanceof ApiError ? error.code : "failed";
  output.failure([error.message], { code, message: error.message });
  return exitCode.failed;
}

function checkedUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("Give an http or https URL.");
}

function kindsOf(text: string): readonly string[] {
  const kinds = text.split(",").map((kind) => kind.trim());
  if (kinds.includes("")) throw new InvalidArgumentError("Give kinds separated by commas.");
  return kinds;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
