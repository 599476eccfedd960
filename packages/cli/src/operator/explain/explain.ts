import { type Config, diagnosisBody, type Explanation, explainDomain } from "@mooring/control";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { sanitized } from "../../commands/api-command.ts";
import { diagnosisText } from "../../commands/text/diagnosis.ts";
import { paint } from "../../commands/text/paint.ts";
import { formatFields, orDash } from "../../commands/text/table.ts";
import { attempt } from "../failure.ts";

/** DNS gets eight seconds for each of two rounds. */
const timeoutMs = 20_000;

/** `mooring explain`: what DNS says of a domain, in the words of a diagnosis. */
export function addExplain(program: Command, action: RegisterAction): void {
  const command = program
    .command("explain")
    .argument("<domain>")
    .option("--edge <name>", "the name that customers point at; by default EDGE_CNAME")
    .description("say what is wrong with a domain's DNS, who must act and how; needs no account")
    .addHelpText("after", help);
  action(command, (raw, [domain = ""], options) => {
    const output = sanitized(raw);
    return attempt(output, async (config) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const found = await explainDomain(withEdge(config, options["edge"]), domain, { signal });
      output.result(explanationText(found, output.terminal?.columns ?? null), shown(found));
      const isBad = found.diagnosis.findings.some(({ severity }) => severity === "error");
      return isBad ? exitCode.failed : exitCode.done;
    });
  });
}

/** Another edge than the configured one is known by its name only. */
function withEdge(config: Config, edge: unknown): Config {
  if (typeof edge !== "string" || edge === config.edgeCname) return config;
  return { ...config, edgeCname: edge.toLowerCase(), edgeIpv4: [], edgeIpv6: [] };
}

function explanationText(found: Explanation, width: number | null): string {
  const { check, inUse, proxied, edge, diagnosis } = found;
  const facts = formatFields([
    ["Domain", found.hostname],
    ["DNS at", check.provider?.name ?? orDash(check.nameserver)],
    ["DNSSEC", check.dnssec],
    ["CAA", caaText(check.caaAllows)],
    ["Leads to", inUse === null ? null : usedText(inUse)],
    ["Behind", proxied && proxiedText(proxied)],
    ["Compared with", edge ?? "no edge: give --edge to compare the records"],
  ]);
  return [facts, "", diagnosisText(diagnosis, width)].join("\n");
}

function caaText(isAllowed: boolean | null): string {
  if (isAllowed === null) return "could not be read";
  return isAllowed ? "allows our certificates" : paint("red", "forbids our certificates");
}

function proxiedText({ name }: NonNullable<Explanation["proxied"]>): string {
  return `${name}: its proxy may stay on; where it sends requests cannot be seen from DNS`;
}

function usedText({ addresses, servesHttps }: NonNullable<Explanation["inUse"]>): string {
  const where = addresses.length === 0 ? "a name without addresses" : addresses.join(", ");
  return `${where}${servesHttps ? ", which answers over HTTPS" : ""}`;
}

function shown({ hostname, check, inUse, proxied, edge, diagnosis }: Explanation): object {
  const body = diagnosisBody({ ...diagnosis, isForCustomer: false });
  const { connection_id: _, ...said } = body;
  return {
    domain: hostname,
    edge,
    registered: check.registered,
    provider: check.provider?.name ?? null,
    provider_slug: check.provider?.slug ?? null,
    nameserver: check.nameserver,
    dnssec: check.dnssec,
    caa_allows: check.caaAllows,
    in_use:
      inUse === null
        ? null
        : {
            addresses: inUse.addresses,
            serves_https: inUse.servesHttps,
            ttl: inUse.ttl,
            mail: inUse.mail,
          },
    proxied: proxied && { by: proxied.by },
    ...said,
  };
}

const help = `
Asks DNS alone: no API key, no database. Ends with 1 when something is wrong.

Examples:
  mooring explain shop.acme.com --edge edge.mooring.example
  mooring explain shop.acme.com --json | jq -r '.findings[].code'`;
