import type { Delivery } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand } from "../api-command.ts";
import { given } from "../client.ts";
import { examples } from "../examples.ts";
import { usageFailure } from "../explain.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import type { Column } from "../text/table.ts";
import { orDash, painted, timeOf } from "../text/words.ts";

const columns: readonly Column<Delivery>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "EVENT", cell: ({ event_type }) => event_type },
  { heading: "STATUS", cell: ({ status }) => painted(status) },
  { heading: "TRIES", cell: ({ attempts }) => String(attempts.length) },
  { heading: "LAST ANSWER", cell: lastAnswer, isElastic: true },
  { heading: "NEXT TRY", cell: ({ next_attempt_at }) => timeOf(next_attempt_at) },
  { heading: "CREATED", cell: ({ created_at }) => timeOf(created_at) },
];

function lastAnswer({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return "–";
  return last.status_code === null
    ? orDash(last.error)
    : `${last.status_code} in ${last.latency_ms} ms`;
}

export function addDeliveries(webhooks: Command, action: RegisterAction): void {
  const deliveries = withPaging(webhooks.command("deliveries"))
    .description("what was sent to a receiver and how it answered, newest first")
    .argument("<receiver>", "its id");
  examples(
    deliveries,
    "mooring webhooks deliveries 0198c0de-0000-7000-8000-000000000000",
    "mooring webhooks deliveries 0198c0de-0000-7000-8000-000000000000 --json | jq '.data[0].attempts'",
  );
  apiCommand(action, deliveries, async (call) => {
    const listing = call.client.webhookEndpoints.deliveries(
      call.args[0] ?? "",
      pageQuery(call.options),
    );
    await showPage(call, listing, columns, "Nothing was sent yet.");
    return undefined;
  });
}

export function addTest(webhooks: Command, action: RegisterAction): void {
  const test = webhooks
    .command("test")
    .description("send a test event to a receiver")
    .argument("<receiver>", "its id");
  examples(test, "mooring webhooks test 0198c0de-0000-7000-8000-000000000000");
  apiCommand(action, test, async ({ client, output, args: [id = ""] }) => {
    const sent = await client.webhookEndpoints.sendTest(id);
    output.result(`${sentText(sent)}\nSee: mooring webhooks deliveries ${id}`, sent);
    return undefined;
  });
}

export function addReplay(webhooks: Command, action: RegisterAction): void {
  const replay = webhooks
    .command("replay")
    .description("send one delivery again, or every event since a time")
    .argument("<receiver>", "its id")
    .argument("[delivery]", "the delivery's id")
    .option("--since <time>", "every event of this time and later, as in 2026-01-31T08:00:00Z");
  examples(
    replay,
    "mooring webhooks replay 0198c0de-0000-7000-8000-000000000000 --since 2026-01-31T08:00:00Z",
  );
  apiCommand(action, replay, async ({ client, output, args: [id = "", delivery], options }) => {
    const since = given(options["since"]);
    if ((delivery === undefined) === (since === null)) {
      throw usageFailure("give the id of a delivery, or --since");
    }
    if (since !== null) {
      const result = await client.webhookEndpoints.replaySince(id, { since });
      output.result(`${result.replayed} events are sent again`, result);
      return undefined;
    }
    const again = await client.webhookEndpoints.replay(id, delivery ?? "");
    output.result(sentText(again), again);
    return undefined;
  });
}

function sentText({ id, event_type, status }: Delivery): string {
  return `${event_type} is ${painted(status)} (${id})`;
}
