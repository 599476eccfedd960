import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { WebhookEvent } from "@mooring/sdk";
import { type Command, InvalidArgumentError } from "commander";
import type { RegisterAction } from "../../action.ts";
import { processEnvironment } from "../../config.ts";
import { listenForEnd } from "../../end-request.ts";
import { exitCode } from "../../exit-code.ts";
import type { Output } from "../../output.ts";
import { type ApiCall, apiCommand } from "../api-command.ts";
import { ClientError, given } from "../client.ts";
import { examples } from "../examples.ts";
import { isTextList } from "../input.ts";
import { persist } from "../persist.ts";
import { followEvents } from "./follow-events.ts";
import { type Forwarded, forwardEvent } from "./forward.ts";

const everyMs = 1_000;

export function addListen(program: Command, action: RegisterAction): void {
  const listen = program
    .command("listen")
    .description("print events as they happen, and forward them to a local URL")
    .option("--forward-to <url>", "post each event there, signed as a delivery is", checkedUrl)
    .option("--application <id>", "only events of this application")
    .option("--types <kinds>", "only these kinds, separated by commas", kindsOf);
  examples(
    listen,
    "mooring listen",
    "mooring listen --forward-to http://localhost:3000/webhooks --types domain.drift",
  );
  listen.addHelpText(
    "after",
    "\nForwarded events are signed with MOORING_WEBHOOK_SECRET, or with a fresh secret that is\nprinted at the start. A forwarded event is sent once and not tried again.",
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
  // It repeats what fails by itself, and says so.
  apiCommand(action, listen, run, { retries: 0 });
}

async function follow({ client, output, options }: ApiCall, signal: AbortSignal): Promise<void> {
  const target = given(options["forwardTo"]);
  const application = given(options["application"]);
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
    output.item(lineOf(event, forwarded), forwarded === null ? event : { ...event, forwarded });
  }
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

function checkedUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("Give an http or https URL.");
}

function kindsOf(text: string): readonly string[] {
  const kinds = text.split(",").map((kind) => kind.trim());
  if (kinds.includes("")) throw new InvalidArgumentError("Give kinds separated by commas.");
  return kinds;
}
