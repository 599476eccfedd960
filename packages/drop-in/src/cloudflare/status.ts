import {
  type CloudflareStatuses,
  type ConnectionState,
  cloudflareStatuses,
  type DropInHostname,
  ownershipChallenge,
} from "@mooring/control/drop-in";

/** The states with a status, for a filter of a list. */
export function statesWith(
  part: keyof CloudflareStatuses,
  value: string,
): readonly ConnectionState[] {
  return statesBy(part).filter((state) => cloudflareStatuses[state]?.[part] === value);
}

/** In the order of their statuses, for a sorted list. */
export function statesBy(part: keyof CloudflareStatuses): readonly ConnectionState[] {
  const shown = Object.entries(cloudflareStatuses) as [
    ConnectionState,
    CloudflareStatuses | null,
  ][];
  return shown
    .flatMap(([state, statuses]) => (statuses === null ? [] : [{ state, value: statuses[part] }]))
    .toSorted((a, b) => (a.value < b.value ? -1 : Number(a.value > b.value)))
    .map(({ state }) => state);
}

type Connection = DropInHostname["connection"];

/** Products compare this sentence of the vendor's word for word. */
const notPointing = "custom hostname does not CNAME to this zone.";
const notProven =
  "None of the A or AAAA records are owned by this account and the pre-generated ownership verification token was not found.";
const taken = "The custom hostname is in use by another account.";

/**
 * What keeps a hostname from being active. The name does not resolve to us before all its records
 * were seen. A client that has its certificate validated by HTTP shows no TXT record of the answer,
 * and some of them the first error alone: there the record that is asked for comes first.
 */
export function verificationErrors(
  { connection, needed }: DropInHostname,
  method: string | null,
): string[] {
  const { state, errorCode } = connection;
  if (state === "live" || state === "issuing_cert") return [];
  const isProven = cloudflareStatuses[state]?.ssl !== "initializing" && state !== "failed";
  const asked = isProven || needed.ownership.need === "none" ? [] : [askForText(connection)];
  return [
    ...(method === "http" ? asked : []),
    notPointing,
    ...(isProven ? [] : [notProven]),
    ...(method === "http" ? [] : asked),
    ...(errorCode === "hostname_conflict" ? [taken] : []),
  ];
}

function askForText(connection: Connection): string {
  const { name, value } = ownershipChallenge(connection);
  return `To prove ownership, add the TXT record ${name} with the value ${value}`;
}

/** What keeps the certificate from being issued, by the connection's error. */
const validationMessages: Readonly<Record<string, string>> = {
  caa_forbidden: "caa_error: the CAA records of the domain do not allow the certificate authority.",
  ca_rate_limited:
    "The authority has rate limited these domains. Please wait for the rate limit to expire or try another authority.",
  ca_unavailable: "The certificate authority encountered an internal error.",
  certificate_failed: "The certificate authority encountered an internal error.",
  certificate_timeout: "The certificate authority encountered an internal error.",
  certificate_at_risk: "The renewal of the certificate has failed.",
  certificate_expired: "The certificate has expired.",
  dnssec_bogus: "The DNSSEC signatures of the domain are not valid.",
};

export function validationErrors({ errorCode }: Connection): { message: string }[] {
  const message = errorCode === null ? undefined : validationMessages[errorCode];
  return message === undefined ? [] : [{ message }];
}
