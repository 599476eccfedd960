import { isValidationRecord } from "../certificates/validation.ts";
import type { DesiredRecord } from "../connections/connection.ts";
import { awaitsSwitch } from "../connections/cutover.ts";
import { fromDesired } from "../records/desired-records.ts";
import type { DiagnosisFacts } from "./facts.ts";
import type { Rule } from "./finding.ts";
import { allInForm, atDnsHost, findDnsHost, recordLine } from "./finding-text.ts";

/** Rules about a name that serves visitors elsewhere until it is switched. */

/**
 * The facts without what concerns the records that visitors follow: before the switch of a cut-over
 * the name leads elsewhere on purpose. The records themselves are `atSwitch`.
 */
export function untilSwitch(facts: DiagnosisFacts): DiagnosisFacts {
  const { connection, dns } = facts;
  if (!awaitsSwitch(connection) || connection.state === "archived") return facts;
  const isQuiet = (record: { readonly name: string; readonly type: string }): boolean =>
    isValidationRecord(connection.hostname, record);
  const isQuietDesired = ({ host: name, type }: DesiredRecord) => isQuiet({ name, type });
  const { desiredRecords } = connection;
  const asked = desiredRecords.filter(isQuietDesired);
  const isAsked = (name: string) => asked.some(({ host }) => host === name);
  return {
    ...facts,
    connection: { ...connection, desiredRecords: asked },
    atSwitch: desiredRecords.filter((record) => !asked.includes(record)),
    dns: {
      ...dns,
      records: dns.records && {
        ...dns.records,
        records: dns.records.records.filter(({ record }) => isQuiet(record)),
      },
      strayRecords: dns.strayRecords.filter(({ requested }) => isAsked(requested)),
      aliasLoops: dns.aliasLoops.filter(isAsked),
      names: dns.names.filter(({ name }) => isAsked(name)),
      conflicts: dns.conflicts.filter(({ host }) => isAsked(host)),
      caches: dns.caches.filter(({ record }) => isQuiet(record)),
    },
  };
}

export const cutoverPreparing: Rule = ({ connection }) => {
  const { cutover, hostname, state } = connection;
  if (cutover?.status !== "preparing" || state === "failed") return [];
  return [
    {
      severity: "info",
      title: `${hostname} stays where it is while its move is prepared`,
      evidence: cutover.old_records.map((record) => recordLine(fromDesired(record))),
      actor: "wait",
      fix: `The records that visitors follow stay as they are. Only those that are asked for are added; the new record for visitors is shown when everything is ready for the switch.`,
    },
  ];
};

/** Of a name that was switched back too: it can be switched again. */
export const cutoverReady: Rule = (facts) => {
  const { connection, atSwitch = [] } = facts;
  const { cutover, hostname } = connection;
  const isReady = cutover?.status === "ready" || cutover?.status === "reverted";
  if (!isReady || connection.state !== "propagating") return [];
  const add = atSwitch.map(fromDesired);
  const remove = cutover.old_records.map(fromDesired);
  const dnsHost = findDnsHost(facts);
  return [
    {
      severity: "info",
      title: `${hostname} is ready to be switched`,
      evidence: remove.map(recordLine),
      actor: "end_customer",
      add,
      remove,
      fix: `Switch it when you like; until then the old site serves. ${atDnsHost(dnsHost)}, replace the old records with ${allInForm(add, dnsHost)}, or have it written by a switch of the cut-over.`,
    },
  ];
};
