import type { Challenge } from "../../acme/authorization.ts";
import type { Host } from "../../hosts/host.ts";

/** One string of a TXT record. */
const maxBytes = 255;

/**
 * The record of `dns-persist-01` (draft-ietf-acme-dns-persist-01 §4): which account at which CA may
 * have certificates for the name; a wildcard has to be named. The same for every order, whatever
 * the order of the CA's names. Null where the challenge cannot be answered.
 *
 * The account is ours as we know it, never one that only the challenge names: a CA could otherwise
 * have us publish a record for somebody's account at another CA.
 */
export function persistentRecord(
  { issuers, accountUri }: Pick<Challenge, "issuers" | "accountUri">,
  { hostname }: Pick<Host, "hostname">,
  account: string,
): string | null {
  const [issuer] = issuers.toSorted();
  if (issuer === undefined || (accountUri !== null && accountUri !== account)) return null;
  // RFC 8659 §4.2: a value is printable and has no semicolon.
  if (!/^[\x21-\x3a\x3c-\x7e]+$/.test(account)) return null;
  const policy = hostname.startsWith("*.") ? "; policy=wildcard" : "";
  const record = `${issuer}; accounturi=${account}${policy}`;
  return record.length <= maxBytes ? record : null;
}
