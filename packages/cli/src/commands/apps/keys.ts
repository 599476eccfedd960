import type { ApiKey, CreateKey } from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand } from "../api-command.ts";
import { examples } from "../examples.ts";
import { isTextList } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { applicationId } from "../references.ts";
import { type Column, fieldsOf } from "../text/table.ts";
import { timeOf } from "../text/words.ts";

const columns: readonly Column<ApiKey>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "NAME", cell: ({ name }) => name, isElastic: true },
  { heading: "ENDS IN", cell: ({ last4 }) => last4 },
  { heading: "LAST USED", cell: ({ last_used_at }) => timeOf(last_used_at) },
  { heading: "REVOKED", cell: ({ revoked_at }) => timeOf(revoked_at) },
  { heading: "SCOPES", cell: ({ scopes }) => scopes.join(","), isElastic: true },
];

type Scope = NonNullable<CreateKey["scopes"]>[number];
const scopes: readonly Scope[] = [
  "connections:read",
  "connections:write",
  "apps:admin",
  "webhooks:write",
  "usage:read",
];

export function addApplicationKeys(apps: Command, action: RegisterAction): void {
  const keys = apps.command("keys").description("API keys of an application");
  const list = withPaging(keys.command("list"))
    .description("list the keys, revoked ones included")
    .argument("[app]", "id or name");
  examples(list, "mooring apps keys list Shop");
  apiCommand(action, list, async (call) => {
    const id = await applicationId(call.client, call.args[0]);
    const listing = call.client.keys.list(id, pageQuery(call.options));
    await showPage(call, listing, columns, "There is no key.");
    return undefined;
  });

  const create = keys
    .command("create")
    .description("make a key; it is shown this once")
    .argument("<app>", "id or name")
    .argument("<name>", "what the key is for")
    .addOption(
      new Option("--scope <scope...>", "what it may do (default: all that your key may)").choices(
        scopes,
      ),
    );
  examples(create, "mooring apps keys create Shop ci --scope connections:read usage:read");
  apiCommand(action, create, async ({ client, output, args: [app, name = ""], options }) => {
    const asked = isTextList(options["scope"]) ? options["scope"].filter(isScope) : [];
    const body = { name, ...(asked.length === 0 ? {} : { scopes: asked }) };
    const made = await client.keys.create(await applicationId(client, app), body);
    const fields = fieldsOf([
      ["Key", made.secret],
      ["Id", made.id],
      ["Environment", made.environment],
      ["Scopes", made.scopes.join(", ")],
    ]);
    output.result(`${fields}\n\nThe key is shown this once.`, made);
    return undefined;
  });

  const revoke = keys
    .command("revoke")
    .description("end a key at once, and the widget tokens it minted")
    .argument("<app>", "id or name")
    .argument("<key>", "id of the key");
  examples(revoke, "mooring apps keys revoke Shop 0198c0de-0000-7000-8000-000000000000");
  apiCommand(action, revoke, async ({ client, output, args: [app, key = ""] }) => {
    const revoked = await client.keys.revoke(await applicationId(client, app), key);
    output.result(`${revoked.name} (…${revoked.last4}) is revoked`, revoked);
    return undefined;
  });
}

function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}
