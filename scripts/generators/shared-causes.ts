import type { ConnectionError } from "../../packages/control/src/domain/connections/connection.ts";
import type { FindingCode } from "../../packages/control/src/domain/diagnosis/finding-codes.ts";
import type { ErrorCode } from "../../packages/control/src/domain/errors.ts";

const introduction = `Codes are in snake_case. \`HostnameConflict\` and \`QuotaExceeded\`, both answers to a request, are spelled as the
first version of the interface has them, and stay so. The same cause has a code wherever it shows:`;

/** A cause that shows in several places, and what its codes tell apart. */
interface SharedCause {
  readonly cause: string;
  readonly answers?: readonly ErrorCode[];
  readonly connection?: readonly ConnectionError[];
  readonly findings?: readonly FindingCode[];
  readonly difference: string;
}

const causes: readonly SharedCause[] = [
  {
    cause: "The hostname is another connection's",
    answers: ["HostnameConflict"],
    connection: ["hostname_conflict"],
    findings: ["hostname_conflict", "hostname_proven_by_both", "hostname_contested"],
    difference:
      "`HostnameConflict`: the request was refused. `hostname_conflict`: the connection was made and has proven the name, and waits for the [contest](contests.md). `hostname_contested` is the same for who holds the name.",
  },
  {
    cause: "Ownership is not proven",
    answers: ["ownership_not_found"],
    connection: ["txt_not_found", "txt_mismatch", "ownership_timeout"],
    findings: ["ownership_missing", "ownership_mismatch", "ownership_wrong_name"],
    difference:
      "The answer is to a verify. `error_code` is what the last check saw, `ownership_timeout` that checks have ended. The finding says what is wrong with the record.",
  },
  {
    cause: "A limit of the plan",
    answers: ["QuotaExceeded"],
    difference: "How much the plan allows, not how fast: that is `rate_limited`.",
  },
  {
    cause: "Too many requests (429)",
    answers: ["rate_limited"],
    connection: ["provider_rate_limited", "ca_rate_limited"],
    findings: ["provider_busy", "ca_rate_limited"],
    difference:
      "`rate_limited`: yours to this API. The others: the service's, to the DNS provider or the certificate authority, which it repeats by itself.",
  },
  {
    cause: "The page's origin is not allowed (CORS)",
    answers: ["forbidden"],
    difference:
      "`details.reason` is `origin_not_allowed`. A browser shows it as a CORS error unless another application lists the origin: add the origin to [`allowed_origins`](widget.md#which-pages-may-show-it-cors).",
  },
  {
    cause: "The DNS provider refuses, or does not answer",
    answers: ["provider_error"],
    connection: ["provider_auth", "provider_unavailable", "provider_unsupported"],
    findings: ["provider_auth", "credential_failing", "provider_busy", "provider_write_failed"],
    difference:
      "`provider_error` is about the write that you asked for, with the kind in `details.kind`; `error_code` about the service's own.",
  },
  {
    cause: "Time ran out",
    answers: ["unavailable"],
    connection: ["dns_timeout", "ownership_timeout", "propagation_timeout", "certificate_timeout"],
    findings: ["ns_unreachable", "gave_up"],
    difference:
      "`dns_timeout`: nameservers did not answer now. The other timeouts: a step took longer than `GIVE_UP_AFTER`, and the connection has failed. `unavailable`: the service itself did not answer in time.",
  },
];

/** The section of docs/troubleshooting.md that sets the three kinds of code beside each other. */
export function sharedCausesSection(): readonly string[] {
  return [
    "## One cause, several codes",
    "",
    introduction,
    "",
    "| Cause | `error.code` of an answer | `error_code` of a connection | Findings | The difference |",
    "|---|---|---|---|---|",
    ...causes.map(rowText),
  ];
}

function rowText(row: SharedCause): string {
  const list = (codes: readonly string[] = []) =>
    codes.map((code) => `\`${code}\``).join(", ") || "–";
  const { cause, answers, connection, findings, difference } = row;
  return `| ${cause} | ${list(answers)} | ${list(connection)} | ${list(findings)} | ${difference} |`;
}
