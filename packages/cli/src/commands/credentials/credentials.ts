import type { Credential, CredentialTrial } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../exit-code.ts";
import { type ApiCall, apiCommand } from "../api-command.ts";
import { given } from "../client.ts";
import { examples } from "../examples.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { applicationId } from "../references.ts";
import { paint } from "../text/paint.ts";
import { type Column, fieldsOf } from "../text/table.ts";
import { orDash, timeOf } from "../text/words.ts";
import { fieldsHelp, providerOf, readFields, withFieldsOption } from "./fields.ts";

const columns: readonly Column<Credential>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "NAME", cell: ({ name }) => name, isElastic: true },
  { heading: "PROVIDER", cell: ({ provider }) => provider },
  { heading: "ZONE", cell: ({ zone }) => orDash(zone) },
  { heading: "ENDS IN", cell: ({ last4 }) => orDash(last4) },
  { heading: "LAST USED", cell: ({ last_used_at }) => timeOf(last_used_at) },
  { heading: "LAST ERROR", cell: ({ last_error }) => orDash(last_error), isElastic: true },
];

export function addCredentials(program: Command, action: RegisterAction): void {
  const credentials = program
    .command("credentials")
    .description("what Mooring writes at DNS providers with");
  const list = withApp(withPaging(credentials.command("list"))).description(
    "list an application's credentials; their fields are never shown",
  );
  examples(list, "mooring credentials list --app Shop");
  apiCommand(action, list, async (call) => {
    const listing = call.client.credentials.list(await appOf(call), pageQuery(call.options));
    await showPage(call, listing, columns, "There is no credential: mooring credentials add");
    return undefined;
  });
  addAdd(credentials, action);
  addTest(credentials, action);
  const remove = withApp(credentials.command("delete"))
    .description("forget a credential")
    .argument("<credential>", "its id");
  examples(remove, "mooring credentials delete 0198c0de-0000-7000-8000-000000000000");
  apiCommand(action, remove, async (call) => {
    const [id = ""] = call.args;
    await call.client.credentials.delete(await appOf(call), id);
    call.output.result("the credential is deleted", { id, deleted: true });
    return undefined;
  });
}

function withApp(command: Command): Command {
  return command.option("--app <app>", "id or name (default: MOORING_APP, else the only one)");
}

function appOf({ client, options }: ApiCall): Promise<string> {
  return applicationId(client, options["app"]);
}

function addAdd(credentials: Command, action: RegisterAction): void {
  const add = withFieldsOption(withApp(credentials.command("add")))
    .description("store a credential, sealed; its fields are asked for")
    .argument("<provider>", "slug, as in `mooring providers`")
    .option("--name <name>", "what to call it (default: the provider)")
    .option("--zone <zone>", "the one zone to use it for (default: every zone that it sees)");
  examples(
    add,
    "mooring credentials add cloudflare --app Shop",
    "mooring credentials add cloudflare --fields-file token.env",
    "pass show dns/cloudflare | sed 's/^/api_token=/' | mooring credentials add cloudflare",
  );
  add.addHelpText("after", fieldsHelp);
  apiCommand(action, add, async (call) => {
    const { client, output, args, options } = call;
    const app = await appOf(call);
    const provider = await providerOf(client, args[0] ?? "");
    const zone = given(options["zone"]);
    const stored = await client.credentials.store(app, {
      provider: provider.slug,
      name: given(options["name"]) ?? provider.slug,
      fields: await readFields(provider, options),
      ...(zone === null ? {} : { zone }),
    });
    const fields = fieldsOf([
      ["Credential", stored.name],
      ["Id", stored.id],
      ["Provider", stored.provider],
      ["Zone", stored.zone ?? "every zone that it sees"],
    ]);
    output.result(`${fields}\n\nDoes it work? mooring credentials test ${stored.id}`, stored);
    return undefined;
  });
}

function addTest(credentials: Command, action: RegisterAction): void {
  const test = withApp(credentials.command("test"))
    .description("ask the provider whether a credential works; ends with 1 when not")
    .argument("<credential>", "its id");
  examples(test, "mooring credentials test 0198c0de-0000-7000-8000-000000000000 --app Shop");
  apiCommand(action, test, async (call) => {
    const trial = await call.client.credentials.test(await appOf(call), call.args[0] ?? "");
    call.output.result(trialText(trial), trial);
    return trial.ok ? exitCode.done : exitCode.failed;
  });
}

function trialText({ ok, zones, error }: CredentialTrial): string {
  if (!ok) return `${paint("red", "✘")} ${error?.message ?? "it does not work"}`;
  const seen = zones.length === 0 ? "but sees no zone" : `for ${zones.join(", ")}`;
  return `${paint("green", "✔")} it works, ${seen}`;
}
