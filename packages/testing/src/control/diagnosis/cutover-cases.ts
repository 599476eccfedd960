import {
  type CutoverStatus,
  newCutover,
} from "../../../../control/src/domain/connections/cutover.ts";
import {
  absent,
  type Case,
  desired,
  hostname,
  propagating,
  record,
  right,
  toEdge,
  withRecords,
  wrong,
} from "./facts.ts";

export const oldAddress = "192.0.2.44";
const validation = record("CNAME", "label.v.example", `_acme-challenge.${hostname}`);

/** A name that serves visitors at its old address; everything is checked as of any other. */
export function movingFacts(status: CutoverStatus, isDelegated: boolean) {
  const old = { records: [desired("A", oldAddress)], addresses: [oldAddress], ttl: 3_600 };
  const checks = withRecords(
    wrong(toEdge, oldAddress),
    isDelegated ? right(validation) : absent(validation),
  );
  return propagating({
    connection: {
      cutover: { ...newCutover(old), status },
      desiredRecords: [
        desired("CNAME", toEdge.value),
        desired("CNAME", validation.value, validation.name),
      ],
    },
    dns: {
      ...checks,
      conflicts: [desired("HTTPS", "."), { ...desired("MX", "mail.acme.example"), priority: 10 }],
      names: [
        { name: hostname, records: [record("A", oldAddress)], fromWildcard: true, complete: true },
      ],
      aliasLoops: [hostname],
    },
  });
}

export const cutoverCases = {
  cutover_preparing: {
    facts: movingFacts("preparing", true),
    severity: "info",
    actor: "wait",
    title: `${hostname} stays where it is while its move is prepared`,
    evidence: [`${hostname}: A ${oldAddress}`],
    fix: /stay as they are/,
  },
  cutover_ready: {
    facts: movingFacts("ready", true),
    severity: "info",
    actor: "end_customer",
    title: `${hostname} is ready to be switched`,
    evidence: [`${hostname}: A ${oldAddress}`],
    fix: /^Switch it when you like; .* At Cloudflare, replace the old records with Type: CNAME, Name: shop, /,
  },
} satisfies Readonly<Record<string, Case>>;
