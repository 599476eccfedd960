import type { DnsRecord } from "@mooring/dns";
import {
  ada,
  bob,
  type Case,
  challengeAt,
  healthy,
  hostname,
  makeProof,
  now,
  pending,
  proof,
  token,
} from "./facts.ts";

const form = `Type: TXT, Name: _service-challenge.shop, Content: ${token}, TTL: 300.`;
const otherToken = "service-verify=of-the-holder";
/** The proof of another connection, as anybody can read it in DNS. */
const otherProof: DnsRecord = {
  name: challengeAt,
  type: "TXT",
  value: otherToken,
  ttl: 300,
  priority: null,
};
const both = (line: string) => [`${ada}: ${line}`, `${bob}: ${line}`];

/** The whole text as a pattern. */
function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}

export const ownershipCases = {
  hostname_conflict: {
    facts: pending({
      claim: "held",
      dns: { proof: proof("match", { [ada]: [token], [bob]: [token] }) },
    }),
    severity: "info",
    actor: "wait",
    title: `${hostname} is connected already`,
    evidence: [`The service: another connection holds ${hostname}`],
    fix: /^The ownership record is there.*passes at about 12:00 UTC on 2026-11-18/,
  },
  hostname_proven_by_both: {
    facts: pending({
      claim: "held",
      connection: { errorCode: "hostname_conflict" },
      dns: {
        proof: proof("match", { [ada]: [token, otherToken], [bob]: [token, otherToken] }),
        otherProofs: [otherProof],
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: `Two connections have proven ${hostname}, and its holder keeps it`,
    evidence: [
      `${challengeAt}: TXT "${token}" (of this connection)`,
      `${challengeAt}: TXT "${otherToken}" (of another connection)`,
    ],
    fix: exactly(
      `While the records of both are there, the holder stays. If ${hostname} is to pass to this connection: at Cloudflare, delete the TXT record at ${challengeAt} with the value ${otherToken} and keep the one with the value ${token}; if that is done now, the name passes at 12:00 UTC on 2026-11-18, unless its holder proves it once more. If it is to stay where it is, delete the one with the value ${token} instead. If the connection that holds ${hostname} is yours too, archive it: this one then takes the name at once.`,
    ),
  },
  hostname_contested: {
    facts: healthy({
      connection: {
        contest: {
          since: new Date(now.getTime() - 3_600_000),
          deadline: new Date(now.getTime() + 71 * 3_600_000),
        },
      },
      dns: { proof: proof("absent", { [ada]: [], [bob]: [] }) },
    }),
    severity: "error",
    actor: "end_customer",
    title: `Somebody else has proven that ${hostname} is theirs`,
    evidence: [
      "The service: proven at 11:00 UTC, to be decided at 11:00 UTC on 2026-11-18",
      ...both("no TXT record"),
    ],
    fix: /^Prove it again before .*, or the name is lost.*_service-challenge\.shop/,
  },
  ownership_unanswered: {
    facts: pending({
      dns: { proof: proof("unknown", { [ada]: [], [bob]: [] }, { server: "timeout" }) },
    }),
    severity: "error",
    actor: "wait",
    title: `Too few nameservers answer for the ownership record of ${hostname}`,
    evidence: both("no answer in time"),
    fix: /^Nothing is lost: the service asks again by itself/,
  },
  ownership_cname: {
    facts: pending({
      dns: {
        proof: proof("mismatch", { [ada]: [], [bob]: [] }, { reason: "cname", server: "cname" }),
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: `A CNAME is where the ownership record of ${hostname} belongs`,
    evidence: both("a CNAME, no TXT record"),
    fix: exactly(
      `At Cloudflare, remove the CNAME record at ${challengeAt} (or the wildcard CNAME that answers for it), then add a record with ${form}`,
    ),
  },
  ownership_wildcard: {
    facts: pending({
      dns: {
        proof: proof(
          "mismatch",
          { [ada]: [token], [bob]: [token] },
          { reason: "wildcard", server: "wildcard" },
        ),
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: "The ownership value comes from a wildcard record",
    evidence: both(`TXT "${token}" (from a wildcard)`),
    fix: /remove the wildcard TXT record .* at the exact name: Type: TXT, Name: _service-challenge\.shop/,
  },
  ownership_partial: {
    facts: pending({ dns: { proof: proof("partial", { [ada]: [token], [bob]: [] }) } }),
    severity: "info",
    actor: "wait",
    title: `The ownership record of ${hostname} is on its way`,
    evidence: [`${ada}: TXT "${token}"`, `${bob}: no TXT record`],
    fix: /^Some nameservers have the record and the others usually follow/,
  },
  ownership_altered: {
    facts: pending({ dns: { proof: makeProof(`"${token}"`) } }),
    severity: "error",
    actor: "end_customer",
    title: "The ownership value was changed on its way: it has quotation marks in it",
    evidence: both(`TXT ""${token}""`),
    fix: exactly(
      `At Cloudflare, set the value again exactly as it is here, without quotation marks or spaces: ${form}`,
    ),
  },
  ownership_doubled_name: {
    facts: pending({
      dns: { strayProofs: [{ name: `${challengeAt}.acme.example`, isDoubled: true }] },
    }),
    severity: "error",
    actor: "end_customer",
    title: "The ownership record is at a name with acme.example twice",
    evidence: [`${challengeAt}.acme.example: has the TXT value`, ...both("no TXT record")],
    fix: exactly(
      `The DNS provider adds acme.example to the name by itself. At Cloudflare, change the record so that it says only _service-challenge.shop there: ${form}`,
    ),
  },
  ownership_wrong_name: {
    facts: pending({ dns: { strayProofs: [{ name: hostname, isDoubled: false }] } }),
    severity: "error",
    actor: "end_customer",
    title: `The ownership record is at ${hostname}`,
    evidence: [`${hostname}: has the TXT value`, ...both("no TXT record")],
    fix: exactly(
      `The value is right, the name is not. At Cloudflare, move the record to ${challengeAt}: ${form}`,
    ),
  },
  ownership_other_token: {
    facts: pending({ dns: { proof: makeProof("service-verify=of-an-earlier-connection") } }),
    severity: "error",
    actor: "end_customer",
    title: "The ownership record has the value of another connection",
    evidence: both('TXT "service-verify=of-an-earlier-connection"'),
    fix: /^Each connection has a value of its own\. At Cloudflare, add this one/,
  },
  ownership_mismatch: {
    facts: pending({ dns: { proof: makeProof("google-site-verification=abc") } }),
    severity: "error",
    actor: "end_customer",
    title: `There is another TXT value at ${challengeAt}`,
    evidence: both('TXT "google-site-verification=abc"'),
    fix: exactly(`At Cloudflare, add a record with ${form}`),
  },
  ownership_missing: {
    facts: pending(),
    severity: "error",
    actor: "end_customer",
    title: `The ownership record of ${hostname} is not there yet`,
    evidence: both("no TXT record"),
    fix: exactly(`At Cloudflare, add a record with ${form}`),
  },
  ownership_seen: {
    facts: pending({ dns: { proof: proof("match", { [ada]: [token], [bob]: [token] }) } }),
    severity: "info",
    actor: "wait",
    title: `All nameservers have the ownership record of ${hostname}`,
    evidence: both(`TXT "${token}"`),
    fix: /^Nothing to do: the next check/,
  },
} as const satisfies Readonly<Record<string, Case>>;
