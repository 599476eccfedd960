import type { DeliveryDetail, ListAllDeliveries } from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand, examples } from "../api-command.ts";
import { textOrNull } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { connectionId } from "../references.ts";
import { formatFields, formatTable, formatTime, orDash, painted } from "../text/table.ts";
import { deliveryColumns } from "./delivery-columns.ts";

const statuses = ["pending", "delivered", "failed", "exhausted"] as const;

/** What was sent to all webhook receivers; `webhooks deliveries` is the log of one. */
export function addDeliveries(program: Command, action: RegisterAction): void {
  const deliveries = program
    .command("deliveries")
    .description("what was sent to your webhook receivers, and how they answered");
  addList(deliveries, action);
  const show = deliveries
    .command("show")
    .description("one delivery with what was sent and every answer")
    .argument("<delivery>", "its id");
  examples(
    show,
    "mooring deliveries show 0198c0de-0000-7000-8000-000000000000",
    "mooring deliveries show 0198c0de-0000-7000-8000-000000000000 --json | jq .payload",
  );
  apiCommand(action, show, async ({ client, output, args: [id = ""], width }) => {
    const found = await client.deliveries.get(id);
    output.result(detailText(found, width), found);
    return undefined;
  });
}

function addList(deliveries: Command, action: RegisterAction): void {
  const list = withPaging(deliveries.command("list"))
    .description("list the deliveries to all receivers, newest first")
    .addOption(new Option("--status <status>", "only those").choices(statuses))
    .option("--receiver <id>", "only those to this receiver")
    .option("--connection <connection>", "only those about this one, by id or hostname")
    .option("--event-type <type>", "only those of this kind, such as domain.drift");
  examples(
    list,
    "mooring deliveries list --status exhausted",
    "mooring deliveries list --connection shop.acme.com --event-type domain.drift",
  );
  apiCommand(action, list, async (call) => {
    const listing = call.client.deliveries.list(await deliveryQuery(call));
    await showPage(call, listing, deliveryColumns, "Nothing was sent that fits.");
    return undefined;
  });
}

async function deliveryQuery({ client, options }: ApiCall): Promise<ListAllDeliveries> {
  const status = statuses.find((one) => one === options["status"]);
  const [receiver, type] = [textOrNull(options["receiver"]), textOrNull(options["eventType"])];
  const connection = textOrNull(options["connection"]);
  return {
    ...pageQuery(options),
    ...(status === undefined ? {} : { status }),
    ...(receiver === null ? {} : { endpoint_id: receiver }),
    ...(type === null ? {} : { event_type: type }),
    ...(connection === null ? {} : { connection_id: await connectionId(client, connection) }),
  };
}

function detailText(found: DeliveryDetail, width: number | null): string {
  const fields = formatFields([
    ["Delivery", found.id],
    ["Event", `${found.event_type} (${found.event_id})`],
    ["Receiver", found.endpoint_id],
    ["Status", painted(found.status)],
    ["Next try", found.next_attempt_at === null ? null : formatTime(found.next_attempt_at)],
  ]);
  const attempts = formatTable(
    [
      { heading: "TIME", cell: ({ at }) => formatTime(at) },
      { heading: "ANSWER", cell: ({ status_code, error }) => orDash(status_code ?? error) },
      { heading: "TOOK", cell: ({ latency_ms }) => `${latency_ms} ms` },
      {
        heading: "BODY",
        cell: ({ response_excerpt }) => orDash(response_excerpt),
        isElastic: true,
      },
    ],
    found.attempts,
    width,
  );
  return [fields, "", attempts, "", JSON.stringify(found.payload, null, 2)].join("\n");
}
