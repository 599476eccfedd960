import type { ConnectionDetail } from "@mooring/sdk";
import { paint } from "../text/paint.ts";
import { recordColumns, recordTable } from "../text/records.ts";
import { fieldsOf, tableOf } from "../text/table.ts";
import { orDash, painted, timeOf } from "../text/words.ts";
import { isSeen } from "./steps.ts";

export function detailOf(connection: ConnectionDetail): string {
  const { certificate, desired_records } = connection;
  const fields = fieldsOf([
    ["Hostname", connection.hostname],
    ["Id", connection.id],
    ["State", painted(connection.state)],
    ["Error", connection.error_code === null ? null : paint("red", connection.error_code)],
    ["Provider", orDash(connection.provider)],
    ["Setup", connection.setup_type],
    ["Application", connection.application_id],
    ["Batch", connection.batch_id],
    ["Certificate", certificateText(certificate)],
    ["Created", timeOf(connection.created_at)],
  ]);
  const records = tableOf(
    [
      ...recordColumns,
      {
        heading: "SEEN",
        cell: (record) => (isSeen(connection, record) ? paint("green", "yes") : "no"),
      },
    ],
    desired_records,
    null,
  );
  return [
    fields,
    "",
    "Proof of ownership",
    challengeTable(connection),
    "",
    "Records",
    records,
  ].join("\n");
}

function certificateText({ status, ca, not_after }: ConnectionDetail["certificate"]): string {
  const by = ca === null ? "" : ` by ${ca}`;
  const until = not_after === null ? "" : ` until ${timeOf(not_after)}`;
  return `${status === "none" ? "none" : painted(status)}${by}${until}`;
}

export function challengeTable({
  ownership_challenge: { name, value },
}: Pick<ConnectionDetail, "ownership_challenge">): string {
  return recordTable([{ host: name, type: "TXT", value, ttl: null, priority: null }]);
}
