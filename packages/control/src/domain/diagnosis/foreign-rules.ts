import { holdsClaim } from "../connections/connection.ts";
import type { ForeignCertificate } from "../transparency/foreign-certificate.ts";
import type { Rule } from "./finding.ts";
import { clockTime } from "./finding-text.ts";

const maxShown = 5;
const maxNames = 3;

function line(foreign: ForeignCertificate, now: Date): string {
  const { issuer, serial, names, log, seenAt } = foreign;
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  const shown = `${names.slice(0, maxNames).join(", ")}${more}`;
  return `${log}: ${shown} by ${issuer}, serial ${serial} (seen ${clockTime(seenAt, now)})`;
}

/**
 * Only the customer knows whether they asked for it. A CDN in front of the name obtains one of its
 * own, so that nothing is amiss there.
 */
export const certificateForeign: Rule = ({ connection, foreignCertificates, now }) => {
  const [newest] = foreignCertificates;
  if (newest === undefined || !holdsClaim(connection.state)) return [];
  const isBehindCdn = connection.front !== null;
  return [
    {
      severity: isBehindCdn ? "info" : "warning",
      title: `Somebody else obtained a certificate for ${connection.hostname}`,
      evidence: foreignCertificates.slice(0, maxShown).map((foreign) => line(foreign, now)),
      actor: "end_customer",
      params: { issuer: newest.issuer },
      fix: "Nothing, where the customer uses the name at a CDN or another host too, or did until lately. Otherwise let them find out who may change the DNS of the domain or answer for the name, have the authority revoke the certificate, and name the allowed authorities in a CAA record.",
    },
  ];
};
