import type { ApiKey, Application, CreateApplication, CreateKey } from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { usageFailure } from "../explain.ts";
import { isRecordList, isTextList, parsedJson, readInput, textOrNull } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { applicationId } from "../references.ts";
import { type Column, formatFields, formatTime, orDash, recordTable } from "../text/table.ts";
import { brandIn, brandLine } from "./brand-option.ts";
import { edgeChangesIn, edgeLine } from "./edge-settings.ts";
import { originRows, originSettingsIn, withOriginOptions } from "./origin-options.ts";

const applicationColumns: readonly Column<Application>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "NAME", cell: ({ name }) => name, isElastic: true },
  { heading: "ENVIRONMENT", cell: ({ environment }) => environment },
  { heading: "ORIGIN", cell: ({ origin_url }) => orDash(origin_url), isElastic: true },
];

export function addApps(program: Command, action: RegisterAction): void {
  const apps = program.command("apps").description("your products, which domains connect to");
  const list = withPaging(apps.command("list").description("list the applications, newest first"));
  examples(list, "mooring apps list", "mooring apps list --json | jq -r '.data[].id'");
  apiCommand(action, list, async (call) => {
    const listing = call.client.applications.list(pageQuery(call.options));
    await showPage(
      call,
      listing,
      applicationColumns,
      "There is no application yet: mooring apps create NAME",
    );
    return undefined;
  });
  addCreate(apps, action);
  const show = apps.command("show").description("one application").argument("<app>", "id or name");
  examples(show, "mooring apps show Default");
  apiCommand(action, show, async ({ client, output, args }) => {
    const found = await client.applications.get(await applicationId(client, args[0]));
    output.result(detailText(found), found);
    return undefined;
  });
  addUpdate(apps, action);
  addDelete(apps, action);
  addApplicationKeys(apps, action);
}

function addDelete(apps: Command, action: RegisterAction): void {
  const remove = apps
    .command("delete")
    .description("delete an application without connections; its keys are revoked")
    .argument("<app>", "id or name");
  examples(remove, "mooring apps delete Shop");
  apiCommand(action, remove, async ({ client, output, args }) => {
    const id = await applicationId(client, args[0]);
    await client.applications.delete(id);
    output.result("the application is deleted", { id, deleted: true });
    return undefined;
  });
}

function addCreate(apps: Command, action: RegisterAction): void {
  const create = withSettings(apps.command("create"))
    .description("make an application, in the environment of the key")
    .argument("<name>", "1 to 100 characters");
  examples(
    create,
    "mooring apps create Shop --origin-url https://shop.example.com",
    "mooring apps create Shop --allowed-origin https://app.example.com https://example.com",
  );
  apiCommand(action, create, async ({ client, output, args: [name = ""], options }) => {
    const made = await client.applications.create({ ...(await settingsIn(options)), name });
    output.result(detailText(made), made);
    return undefined;
  });
}

function addUpdate(apps: Command, action: RegisterAction): void {
  const update = withSettings(apps.command("update"))
    .description("change an application; settings that are not given stay")
    .argument("<app>", "id or name")
    .option("--name <name>", "another name")
    .option("--add-allowed-origin <origin...>", "beside those that may use the widget already");
  examples(
    update,
    "mooring apps update Shop --add-allowed-origin https://admin.example.com",
    "mooring apps update Shop --origin-url https://new.example.com",
    "mooring apps update Shop --origin https://a.example.com=3 https://b.example.com",
    "mooring apps update Shop --edge max_body_bytes=10485760 idle_timeout_s=30",
    "mooring apps update Shop --record-template records.json",
    "mooring apps update Shop --brand name=Acme support_url=https://acme.example/help",
  );
  apiCommand(action, update, async ({ client, output, args, options }) => {
    const name = textOrNull(options["name"]);
    const added = options["addAllowedOrigin"];
    const body = {
      ...(await settingsIn(options)),
      ...(isTextList(added) ? { add_allowed_origins: added } : {}),
      ...(name === null ? {} : { name }),
    };
    if (Object.keys(body).length === 0) throw usageFailure("say what to change: see --help");
    const id = await applicationId(client, args[0]);
    const changed = await client.applications.update(id, body);
    output.result(detailText(changed), changed);
    return undefined;
  });
}

function withSettings(command: Command): Command {
  return withOriginOptions(command)
    .option("--origin-url <url>", "where the edge proxies connected domains to")
    .addOption(
      new Option("--origin-host-header <kind>", "the Host header that the origin gets").choices([
        "preserve",
        "origin",
      ]),
    )
    .option("--edge <setting...>", "limits of the edge, as first_byte_timeout_s=30; null resets")
    .option("--brand <field...>", "what customers see, as name=Acme color=#1a73e8; none removes it")
    .option("--allowed-origin <origin...>", "browser origins that may use the widget")
    .option("--wildcards", "accept wildcards such as *.shop.example.com; the default")
    .option("--no-wildcards", "accept none")
    .addOption(
      new Option("--proofs <method...>", "what may prove ownership (default: all)").choices([
        "txt",
        "cname",
        "delegation",
      ]),
    )
    .addOption(
      new Option("--proxied <choice>", "names behind a CDN such as Cloudflare's proxy").choices([
        "accept",
        "refuse",
      ]),
    )
    .option("--record-template <file>", "JSON list of the records domains need; - is stdin");
}

type Settings = Omit<CreateApplication, "name" | "environment">;

async function settingsIn(options: Readonly<Record<string, unknown>>): Promise<Settings> {
  const url = textOrNull(options["originUrl"]);
  const header = options["originHostHeader"];
  const origins = options["allowedOrigin"];
  const template = textOrNull(options["recordTemplate"]);
  const edge = options["edge"];
  const { brand, wildcards, proofs, proxied } = options;
  return {
    ...(url === null ? {} : { origin_url: url }),
    ...(header === "preserve" || header === "origin" ? { origin_host_header: header } : {}),
    ...(await originSettingsIn(options)),
    ...(isTextList(edge) ? { edge: await edgeChangesIn(edge) } : {}),
    ...(isTextList(brand) ? { brand: brandIn(brand) } : {}),
    ...(isTextList(origins) ? { allowed_origins: origins } : {}),
    ...(typeof wildcards === "boolean" ? { wildcards } : {}),
    ...(isTextList(proofs) ? { proofs: proofs.filter(isProof) } : {}),
    ...(proxied === "accept" || proxied === "refuse" ? { proxied } : {}),
    ...(template === null ? {} : { record_template: await templateIn(template) }),
  };
}

type Proof = NonNullable<CreateApplication["proofs"]>[number];

function isProof(method: string): method is Proof {
  return method === "txt" || method === "cname" || method === "delegation";
}

type Template = NonNullable<CreateApplication["record_template"]>;

async function templateIn(file: string): Promise<Template> {
  const value = parsedJson(await readInput(file));
  if (isRecordList(value)) return value;
  throw usageFailure(`${file} is not a JSON list of records with host, type and value`);
}

function detailText(application: Application): string {
  const fields = formatFields([
    ["Application", application.name],
    ["Id", application.id],
    ["Environment", application.environment],
    ["Origin", orDash(application.origin_url)],
    ...originRows(application),
    ["Host header", application.origin_host_header],
    ["Edge", edgeLine(application.edge)],
    ["Brand", brandLine(application.brand)],
    ["Widget on", application.allowed_origins.join(", ") || "same origin only"],
    ["Wildcards", application.wildcards ? null : "not accepted"],
    ["Proofs", application.proofs.length === 3 ? null : application.proofs.join(", ")],
    ["Behind a CDN", application.proxied === "refuse" ? "refused" : null],
    ["Created", formatTime(application.created_at)],
    ["Records", application.record_template.length === 0 ? "the default: to the edge" : null],
  ]);
  if (application.record_template.length === 0) return fields;
  return `${fields}\n\n${recordTable(application.record_template)}`;
}

const keyColumns: readonly Column<ApiKey>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "NAME", cell: ({ name }) => name, isElastic: true },
  { heading: "ENDS IN", cell: ({ last4 }) => last4 },
  { heading: "LAST USED", cell: ({ last_used_at }) => formatTime(last_used_at) },
  { heading: "REVOKED", cell: ({ revoked_at }) => formatTime(revoked_at) },
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

function addApplicationKeys(apps: Command, action: RegisterAction): void {
  const keys = apps.command("keys").description("API keys of an application");
  const list = withPaging(keys.command("list"))
    .description("list the keys, revoked ones included")
    .argument("[app]", "id or name");
  examples(list, "mooring apps keys list Shop");
  apiCommand(action, list, async (call) => {
    const id = await applicationId(call.client, call.args[0]);
    const listing = call.client.keys.list(id, pageQuery(call.options));
    await showPage(call, listing, keyColumns, "There is no key.");
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
    const fields = formatFields([
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
