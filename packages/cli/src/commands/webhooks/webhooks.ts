import {
  type Delivery,
  type EventType,
  eventTypes,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { usageFailure } from "../explain.ts";
import { isTextList, textOrNull } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { applicationId } from "../references.ts";
import { paint } from "../text/paint.ts";
import { type Column, formatFields, formatTime, painted } from "../text/table.ts";
import { deliveryColumns } from "./delivery-columns.ts";

const endpointColumns: readonly Column<WebhookEndpoint>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "STATE", cell: stateText },
  { heading: "URL", cell: ({ url }) => url, isElastic: true },
  { heading: "EVENTS", cell: ({ events }) => events.join(","), isElastic: true },
  { heading: "CREATED", cell: ({ created_at }) => formatTime(created_at) },
];

function stateText({ active, disabled_reason }: WebhookEndpoint): string {
  if (active) return paint("green", "on");
  return paint("red", disabled_reason === null ? "off" : `off (${disabled_reason})`);
}

type Subscription = EventType | "*";
const subscriptions: readonly Subscription[] = [...eventTypes, "*"];
const formats: readonly WebhookEndpoint["format"][] = ["standard", "cloudflare"];

export function addWebhooks(program: Command, action: RegisterAction): void {
  const webhooks = program.command("webhooks").description("receivers of events, and their log");
  const list = withPaging(webhooks.command("list"))
    .description("list the receivers, newest first")
    .option("--app <app>", "only those of this application, by id or name");
  examples(list, "mooring webhooks list", "mooring webhooks list --app Shop --json");
  apiCommand(action, list, async (call) => {
    const { client, options } = call;
    const app = textOrNull(options["app"]);
    const filter = app === null ? {} : { application_id: await applicationId(client, app) };
    const listing = client.webhookEndpoints.list({ ...pageQuery(options), ...filter });
    await showPage(
      call,
      listing,
      endpointColumns,
      "There is no receiver: mooring webhooks create URL",
    );
    return undefined;
  });
  addCreate(webhooks, action);
  addTest(webhooks, action);
  addDeliveries(webhooks, action);
  addReplay(webhooks, action);
  addSwitch(webhooks, action, "enable");
  addSwitch(webhooks, action, "disable");
  addRotate(webhooks, action);
  addDelete(webhooks, action);
}

function addCreate(webhooks: Command, action: RegisterAction): void {
  const create = webhooks
    .command("create")
    .description("register a receiver; its signing secret is shown this once")
    .argument("<url>", "https; with a test key http too")
    .option("--app <app>", "id or name (default: MOORING_APP, else the only one)")
    .addOption(
      new Option("--events <kind...>", "which kinds (default: all)").choices(subscriptions),
    )
    .addOption(
      new Option("--format <format>", "how events are sent").choices(formats).default("standard"),
    );
  examples(
    create,
    "mooring webhooks create https://example.com/hooks/domains",
    "mooring webhooks create https://example.com/hooks --events domain.drift domain.failed",
  );
  apiCommand(action, create, async ({ client, output, args: [url = ""], options }) => {
    const asked = isTextList(options["events"]) ? options["events"].filter(isSubscription) : [];
    const format = formats.find((one) => one === options["format"]) ?? "standard";
    const made = await client.webhookEndpoints.create({
      application_id: await applicationId(client, options["app"]),
      url,
      format,
      ...(asked.length === 0 ? {} : { events: asked }),
    });
    output.result(secretText(made), made);
    return undefined;
  });
}

function isSubscription(text: string): text is Subscription {
  return subscriptions.some((one) => one === text);
}

function secretText(endpoint: WebhookEndpointWithSecret): string {
  const fields = formatFields([
    ["Receiver", endpoint.url],
    ["Id", endpoint.id],
    ["Events", endpoint.events.join(", ")],
    ["Format", endpoint.format],
    ["Signing secret", endpoint.signing_secret],
  ]);
  return `${fields}\n\nThe secret is shown this once.`;
}

function addSwitch(webhooks: Command, action: RegisterAction, name: "enable" | "disable"): void {
  const isOn = name === "enable";
  const command = webhooks
    .command(name)
    .description(
      isOn ? "switch a receiver on; it gets what it has missed" : "switch a receiver off",
    )
    .argument("<receiver>", "its id");
  examples(command, `mooring webhooks ${name} 0198c0de-0000-7000-8000-000000000000`);
  apiCommand(action, command, async ({ client, output, args: [id = ""] }) => {
    const changed = await client.webhookEndpoints.update(id, { active: isOn });
    output.result(`${changed.url} is ${stateText(changed)}`, changed);
    return undefined;
  });
}

function addRotate(webhooks: Command, action: RegisterAction): void {
  const rotate = webhooks
    .command("rotate-secret")
    .description("give a receiver a new signing secret; the old one signs too for 24 hours")
    .argument("<receiver>", "its id");
  examples(rotate, "mooring webhooks rotate-secret 0198c0de-0000-7000-8000-000000000000");
  apiCommand(action, rotate, async ({ client, output, args: [id = ""] }) => {
    const rotated = await client.webhookEndpoints.rotateSecret(id);
    output.result(secretText(rotated), rotated);
    return undefined;
  });
}

function addDelete(webhooks: Command, action: RegisterAction): void {
  const remove = webhooks
    .command("delete")
    .description("delete a receiver with its log")
    .argument("<receiver>", "its id");
  examples(remove, "mooring webhooks delete 0198c0de-0000-7000-8000-000000000000");
  apiCommand(action, remove, async ({ client, output, args: [id = ""] }) => {
    await client.webhookEndpoints.delete(id);
    output.result("the receiver is deleted", { id, deleted: true });
    return undefined;
  });
}

function addDeliveries(webhooks: Command, action: RegisterAction): void {
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
    await showPage(call, listing, deliveryColumns, "Nothing was sent yet.");
    return undefined;
  });
}

function addTest(webhooks: Command, action: RegisterAction): void {
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

function addReplay(webhooks: Command, action: RegisterAction): void {
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
    const since = textOrNull(options["since"]);
    if ((delivery === undefined) === (since === null)) {
      throw usageFailure("give the id of a delivery, or --since");
    }
    if (since !== null) {
      const result = await client.webhookEndpoints.replaySince(id, { since });
      const rest = result.complete ? "" : ", and more follow";
      output.result(`${result.replayed} events are sent again${rest}`, result);
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
