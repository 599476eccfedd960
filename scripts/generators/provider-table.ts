import {
  type Checks,
  readChecks,
  type Source,
} from "../../packages/dns/conformance/checked-against.ts";
import type { ProviderManifest } from "../../packages/dns/src/index.ts";
import { adapters } from "../../packages/dns/src/providers/registry.ts";

/** What each provider can do and how to get its credential, from the manifests. */
export function providerTable(): string {
  const written = adapters.map(({ manifest }) => manifest);
  const checks = readChecks(written.map(({ slug }) => slug));
  return [
    "# DNS providers",
    "",
    "The providers at which Mooring can write records. `GET /v1/providers` returns the same list as data,",
    "with the results of your writes in the last 24 hours. `npm run generate` writes this page.",
    "",
    "The sandbox is a provider too, in the test environment: see [the sandbox](sandbox.md).",
    "",
    "| Provider | Slug | Apex to a host name | Wildcard | CAA | Delegation | Domain Connect | Shortest TTL | Checked against |",
    "|---|---|---|---|---|---|---|---|---|",
    ...written.map((manifest) => row(manifest, checks.get(manifest.slug))),
    "",
    "*Apex to a host name*: how a domain without `www` can follow the edge's name; where it cannot, it gets",
    "addresses. *Domain Connect*: the provider offers it; whether a zone can use it is read from the zone.",
    "",
    "*Checked against*: what the tests hold our adapter to, none of it written by us. *Recordings* are exchanges",
    "with the real service that another project published: the adapter gets the recorded answers, and what it",
    "sends is compared. *Fixtures* are answers that another project's tests use. *Clients* are public programs with",
    "whose requests ours are compared. With an *official SDK* the provider's own program works at our simulator,",
    "and with a *real server* the whole suite runs at the provider's software.",
    "",
    ...panelSection(written),
    "",
    "## Credentials",
    "",
    "Fields marked with a key are secret: encrypted at rest, never shown again. Below each is what the adapter is",
    "checked against.",
    ...written.flatMap((manifest) => [
      ...credential(manifest),
      ...sourceLinks(checks.get(manifest.slug)),
    ]),
    "",
  ].join("\n");
}

/** The panels that are recognised on a machine. */
function panelSection(written: readonly ProviderManifest[]): readonly string[] {
  const panels = written.flatMap(({ name, panel }) =>
    panel === undefined ? [] : [`${name} (port ${panel.port})`],
  );
  return [
    "## Panels of web hosts",
    "",
    `${panels.join(", ")}: the server is the web host's or your customer's own and is part of the credential.`,
    "It is [reached by https only](security.md#egress), with a certificate that can be verified.",
    "",
    "The names of such a host's servers usually tell nothing. When a person checks a domain whose servers",
    "are unknown, and the site of the domain is on the same machine as one of them (the same /24 or /64), that",
    "machine is asked for its first page at these ports: three connections to a public address, with nothing",
    "of the customer in them, closed after the headers of the answer. The result is remembered for all zones",
    "of these name servers, a day where a panel was found and an hour where none was. Creating a connection,",
    "re-checks and diagnoses ask nothing; they take what is known by then. The SOA record is not used: the",
    "templates of cPanel and Plesk put the web host's own server and address into it, and times that many",
    "others have. `PROVIDERS_OFF` with the slug of a panel ends its part of this, with all of them the whole.",
  ];
}

function row(manifest: ProviderManifest, checks: Checks | undefined): string {
  const { capabilities, docsUrl, minimumTtlSeconds } = manifest;
  const cells = [
    `[${manifest.name}](${docsUrl})`,
    `\`${manifest.slug}\``,
    manifest.apexRecordType ?? "no",
    yes(capabilities.wildcard),
    yes(capabilities.caa),
    yes(capabilities.ns_delegation),
    yes(manifest.domainConnect),
    minimumTtlSeconds === 0 ? "any" : `${minimumTtlSeconds} s`,
    checks === undefined ? "" : checkedAgainst(checks),
  ];
  return `| ${cells.join(" | ")} |`;
}

function yes(is: boolean): string {
  return is ? "yes" : "no";
}

function credential(manifest: ProviderManifest): readonly string[] {
  const fields = manifest.credentialFields.map(
    ({ key, label, secret, required, help_url }) =>
      `- \`${key}\`${secret ? " 🔑" : ""}: [${label}](${help_url})${required ? "" : " (optional)"}`,
  );
  // Text in angle brackets is a placeholder, not a tag.
  const help = manifest.credentialHelp.replaceAll("<", "&lt;");
  return ["", `### ${manifest.name}`, "", help, "", ...fields, ...unwritable(manifest)];
}

function unwritable({ name, unwritableTypes = [] }: ProviderManifest): readonly string[] {
  if (unwritableTypes.length === 0) return [];
  const types = unwritableTypes.join(" and ");
  return ["", `${name}'s API cannot write ${types} records; they are shown and left alone.`];
}

/** Where there is no recording, that is said. */
function checkedAgainst(checks: Checks): string {
  const { recordings, fixtures, clients, officialSdk, realServer } = checks;
  const names = (sources: readonly Source[]) =>
    sources.map(({ project }) => project.split("/")[1]).join(", ");
  const parts = [
    recordings.length === 0 ? "no recording" : `recordings (${names(recordings)})`,
    ...(fixtures.length === 0 ? [] : [`fixtures (${names(fixtures)})`]),
    `${clients.length} clients`,
    ...(officialSdk ? ["official SDK"] : []),
    ...(realServer ? ["real server"] : []),
  ];
  return parts.join("; ");
}

/** One link per project, to the first file that was read there. */
function sourceLinks(checks: Checks | undefined): readonly string[] {
  if (checks === undefined) return [];
  const { recordings, fixtures, clients } = checks;
  const link = ({ project, file, commit }: Source) =>
    `[${project}](https://github.com/${project}/blob/${commit}/${file})`;
  const named = (what: string, sources: readonly Source[]) =>
    sources.length === 0 ? [] : [`${what} ${sources.map(link).join(", ")}`];
  const parts = [
    ...named("recordings of", recordings),
    ...named("fixtures of", fixtures),
    ...named("the clients", clients),
  ];
  return ["", `Checked against ${parts.join("; ")}.`];
}
