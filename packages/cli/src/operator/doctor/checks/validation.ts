import { getServers } from "node:dns";
import type { Config } from "@mooring/control";
import { recursiveResolvers } from "@mooring/control/settings";
import { type InspectedDelegation, inspectValidation } from "@mooring/edge";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "validation_zone";

/** Follows the delegation of the validation zone as a CA does: parent, addresses, every server. */
export async function checkValidation(
  config: Pick<
    Config,
    "validationZone" | "validationNameServers" | "dnsResolvers" | "dnsAuthoritativePort"
  >,
): Promise<readonly Finding[]> {
  const { validationZone: zone, validationNameServers: expected } = config;
  if (zone === null) return [ok(check, "none: wildcards and cut-overs are off")];
  if (zone.endsWith(".test")) return [ok(check, `${zone}: for names of the sandbox only`)];
  const inspected = await inspectValidation({
    resolvers: recursiveResolvers(config.dnsResolvers, getServers()),
    authoritativePort: config.dnsAuthoritativePort,
    zone,
  });
  return judgeDelegation(zone, expected, inspected);
}

function judgeDelegation(
  zone: string,
  expected: readonly string[],
  { delegatedTo, servers }: InspectedDelegation,
): readonly Finding[] {
  const records = expected.map((server) => `${zone} NS ${server}`).join(" and ");
  if (delegatedTo === null) {
    return [fail(check, `${zone} is not delegated in its parent zone`, `add ${records} there`)];
  }
  const missing = expected.filter((server) => !delegatedTo.includes(server));
  const extra = delegatedTo.filter((server) => !expected.includes(server));
  if (missing.length + extra.length > 0) {
    const detail = `the parent zone delegates ${zone} to ${delegatedTo.join(", ")}, and VALIDATION_NS says ${expected.join(", ")}`;
    return [fail(check, detail, `make both the same: ${records}`)];
  }
  const problems = servers.flatMap((server) => serverProblem(zone, server));
  if (problems.length > 0) return problems;
  const answers = new Set(servers.map(({ soa }) => soa));
  if (answers.size > 1) {
    const detail = `the servers of ${zone} answer differently: ${[...answers].join(" / ")}`;
    const fix = "give every `mooring serve dns` the same VALIDATION_ZONE and VALIDATION_NS";
    return [fail(check, detail, fix)];
  }
  const [soa = ""] = answers;
  if (soa?.split(" ")[1] !== `hostmaster.${zone}`) {
    const fix = `stop it, or start \`mooring serve dns\` at the addresses of ${expected.join(" and ")}`;
    return [fail(check, `another program answers for ${zone}: ${soa}`, fix)];
  }
  const detail = `${expected.join(" and ")} answer alike for ${zone}, over UDP and TCP`;
  if (servers.length > 1) return [ok(check, detail)];
  const fix = "run `mooring serve dns` at a second address, and add it to VALIDATION_NS";
  return [
    warn(check, `${detail}; with one server no certificate is renewed while it is away`, fix),
  ];
}

function serverProblem(
  zone: string,
  { host, addresses, soa, answersTcp }: InspectedDelegation["servers"][number],
): Finding[] {
  if (addresses.length === 0) {
    return [fail(check, `${host} has no address in DNS`, `add an A record for ${host}`)];
  }
  const at = `${host} (${addresses.join(", ")})`;
  if (soa === null) {
    const fix = "start `mooring serve dns` there, and open UDP and TCP port 53";
    return [fail(check, `${at} does not answer for ${zone}`, fix)];
  }
  if (answersTcp) return [];
  return [fail(check, `${at} does not answer over TCP`, "open TCP port 53 there")];
}
