import type { AuditEntry, ListAudit } from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../action.ts";
import { apiCommand, examples } from "./api-command.ts";
import { textOrNull } from "./input.ts";
import { pageQuery, showPage, withPaging } from "./paging.ts";
import { type Column, formatTime, orDash } from "./text/table.ts";

const actorKinds = ["member", "key", "token"] as const;

const columns: readonly Column<AuditEntry>[] = [
  { heading: "TIME", cell: ({ at }) => formatTime(at) },
  { heading: "WHO", cell: whoActed, isElastic: true },
  { heading: "ACTION", cell: ({ action }) => action },
  { heading: "OBJECT", cell: ({ object, object_id }) => `${object} ${object_id}` },
  { heading: "FROM", cell: ({ address }) => orDash(address) },
];

function whoActed({ actor }: AuditEntry): string {
  return `${actor.kind} ${actor.name ?? actor.id ?? ""}`.trimEnd();
}

/** Who changed what; needs a key with `apps:admin`. */
export function addAudit(program: Command, action: RegisterAction): void {
  const audit = withPaging(program.command("audit"))
    .description("show who changed what, newest first")
    .option("--action <action>", "only this action, such as api_key.create")
    .option("--object <kind>", "with --object-id: the kind of thing, such as connection")
    .option("--object-id <id>", "only what was done to this")
    .addOption(
      new Option("--actor <kind>", "with --actor-id: the kind of actor").choices(actorKinds),
    )
    .option("--actor-id <id>", "only what this one did")
    .option("--since <time>", "of this time and later, as in 2026-01-31T08:00:00Z")
    .option("--until <time>", "before this time");
  examples(
    audit,
    "mooring audit --since 2026-01-31T08:00:00Z",
    "mooring audit --object connection --object-id 0198c0de-0000-7000-8000-000000000000",
    "mooring audit --actor key --actor-id 0198c0de-0000-7000-8000-000000000000 --all --json",
  );
  apiCommand(action, audit, async (call) => {
    const listing = call.client.audit.list(auditQuery(call.options));
    await showPage(call, listing, columns, "Nothing was changed that fits.");
    return undefined;
  });
}

function auditQuery(options: Readonly<Record<string, unknown>>): ListAudit {
  const names = [
    ["action", "action"],
    ["object", "object"],
    ["objectId", "object_id"],
    ["actor", "actor_kind"],
    ["actorId", "actor_id"],
    ["since", "since"],
    ["until", "until"],
  ] as const;
  const filters = names.map(([option, name]) => [name, textOrNull(options[option])] as const);
  return {
    ...pageQuery(options),
    ...Object.fromEntries(filters.filter(([, value]) => value !== null)),
  };
}
