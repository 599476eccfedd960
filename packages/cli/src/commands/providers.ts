import type { Provider } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { apiCommand, examples } from "./api-command.ts";
import { findProvider } from "./credentials.ts";
import { type Column, formatFields, formatTable, orDash, yesNo } from "./text/table.ts";

const columns: readonly Column<Provider>[] = [
  { heading: "SLUG", cell: ({ slug }) => slug },
  { heading: "NAME", cell: ({ name }) => name, isElastic: true },
  { heading: "SETUP", cell: ({ setup_type }) => setup_type },
  { heading: "CONSENT", cell: ({ domain_connect }) => yesNo(domain_connect) },
  { heading: "FIELDS", cell: fieldKeys, isElastic: true },
];

function fieldKeys({ credential_fields }: Provider): string {
  return orDash(credential_fields.map(({ key }) => key).join(","));
}

export function addProviders(program: Command, action: RegisterAction): void {
  const providers = program
    .command("providers")
    .description("the DNS providers that Mooring can write at, and what each needs")
    .argument("[slug]", "one of them");
  examples(providers, "mooring providers", "mooring providers cloudflare");
  apiCommand(action, providers, async ({ client, output, args: [slug], width }) => {
    if (slug !== undefined) {
      const one = await findProvider(client, slug);
      output.result(providerText(one), one);
      return undefined;
    }
    const data = await client.providers.list();
    output.result(formatTable(columns, data, width), { data });
    return undefined;
  });
}

function providerText(provider: Provider): string {
  const fields = provider.credential_fields.map(
    ({ key, label, secret, required }) =>
      [key, `${label}${secret ? ", secret" : ""}${required ? "" : ", optional"}`] as const,
  );
  const able = Object.entries(provider.capabilities).filter(([, has]) => has);
  const head = formatFields([
    ["Provider", `${provider.name} (${provider.slug})`],
    ["Setup", provider.setup_type],
    ["Consent", yesNo(provider.domain_connect)],
    ["Can", able.map(([name]) => name).join(", ")],
    ["Minimum TTL", `${provider.minimum_ttl} s`],
    ["Documents", provider.docs_url],
  ]);
  if (fields.length === 0) return head;
  return `${head}\n\nCredential fields\n${formatFields(fields)}\n\n${provider.credential_help}`;
}
