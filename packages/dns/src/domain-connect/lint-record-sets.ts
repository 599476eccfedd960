import type { DomainConnectRecord, DomainConnectTemplate } from "./template.ts";

export interface Found {
  readonly path: string;
  readonly message: string;
  readonly warning?: boolean;
}

/** What is wrong between the records of a template, none of which need be wrong alone. */
export function* lintRecordSets(template: DomainConnectTemplate): Generator<Found> {
  const { records } = template;
  if (records.length === 0) yield { path: "records", message: "has at least one record" };
  yield* lintApex(template);
  yield* lintNeighbours(records);
  const grouped = records.filter(({ groupId }) => groupId !== undefined).length;
  if (grouped > 0 && grouped < records.length) {
    const message = "have groups only in part, which providers read differently";
    yield { path: "records", message, warning: true };
  }
}

function* lintApex({ records, hostRequired }: DomainConnectTemplate): Generator<Found> {
  for (const [index, record] of records.entries()) {
    const host = hostOf(record);
    const path = `records.${index}.host`;
    const isAlone = record.type === "CNAME" || record.type === "NS";
    if (isAlone && host === "@" && hostRequired !== true) {
      yield { path, message: `a ${record.type} at @ needs hostRequired` };
    }
    if (isAlone && host === "%domain%.") {
      yield { path, message: `a ${record.type} cannot stand at the apex of a zone` };
    }
    if (host === "www" && hostRequired === true) {
      const message = "www below a subdomain is rarely meant";
      yield { path, message, warning: true };
    }
  }
}

function* lintNeighbours(records: readonly DomainConnectRecord[]): Generator<Found> {
  for (const [index, record] of records.entries()) {
    const others = records.filter(
      (other) => other !== record && hostOf(other) === hostOf(record) && mayMeet(record, other),
    );
    const path = `records.${index}`;
    if (record.type === "CNAME" && others.length > 0) {
      yield { path, message: "a CNAME stands alone at its name" };
    }
    if (record.type === "NS" && others.some(({ type }) => type !== "NS")) {
      yield { path, message: "nothing stands beside a delegation" };
    }
    const sameSet = others.filter(({ type }) => type === record.type);
    if (sameSet.some(({ ttl }) => String(ttl) !== String(record.ttl))) {
      yield { path: `${path}.ttl`, message: "is the same for all records of a name and type" };
    }
  }
}

/** Records of different groups need not be applied together. */
function mayMeet(one: DomainConnectRecord, other: DomainConnectRecord): boolean {
  return one.groupId === undefined || other.groupId === undefined || one.groupId === other.groupId;
}

function hostOf(record: DomainConnectRecord): string {
  if (record.type === "SRV") return `${record.service}.${record.protocol}.${record.name ?? "@"}`;
  const host = (record.host ?? "@").toLowerCase();
  return host === "" || host === "%fqdn%." ? "@" : host;
}
