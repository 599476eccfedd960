import { parseSpfTerm } from "../email/spf.ts";
import type { Found } from "./lint-record-sets.ts";
import { isPrintableAscii } from "./parameters.ts";
import { type DomainConnectRecord, variablesIn } from "./template.ts";

/** The rules for texts: SPF is merged, policies stand alone, and a text may make others go. */
export function* lintTxt(record: DomainConnectRecord): Generator<Found> {
  const { type, data = "", spfRules } = record;
  if (type === "TXT") {
    if (/^\s*v=spf1/i.test(data)) yield { path: "data", message: "is SPF, which SPFM merges" };
    yield* lintPolicy(record);
    if (data !== "@" && data.includes("@")) {
      const message = "has @, which Plesk replaces by the name wherever it stands";
      yield { path: "data", message, warning: true };
    }
  }
  if (spfRules !== undefined) yield* lintSpfRules(spfRules);
  yield* lintRivals(record);
}

function* lintSpfRules(rules: string): Generator<Found> {
  if (/v=spf1/i.test(rules)) yield { path: "spfRules", message: "is without v=spf1" };
  const terms = rules.split(" ").filter((term) => variablesIn(term).length === 0);
  if (terms.some((term) => /^[+?~-]?all$/i.test(term))) {
    yield { path: "spfRules", message: "is without all" };
  } else if (terms.some((term) => parseSpfTerm(term) === null)) {
    yield { path: "spfRules", message: "is a list of SPF mechanisms, one space between" };
  }
}

/** A second DMARC record switches DMARC off, and customers tune theirs (RFC 7489 §6.6.3). */
function* lintPolicy(record: DomainConnectRecord): Generator<Found> {
  if (!/^v=DMARC1/i.test(record.data ?? "")) return;
  if ((record.txtConflictMatchingMode ?? "None") === "None") {
    yield { path: "txtConflictMatchingMode", message: "is needed: a name has one DMARC policy" };
  }
  if (record.essential !== "OnApply") {
    const message = "should be OnApply: customers change their policy";
    yield { path: "essential", message, warning: true };
  }
}

function* lintRivals(record: DomainConnectRecord): Generator<Found> {
  const { type, data = "" } = record;
  const { txtConflictMatchingMode: mode, txtConflictMatchingPrefix: prefix } = record;
  const modePath = "txtConflictMatchingMode";
  const path = "txtConflictMatchingPrefix";
  if (mode !== undefined && !["None", "All", "Prefix"].includes(mode)) {
    yield { path: modePath, message: "is None, All or Prefix" };
  }
  if ((mode !== undefined || prefix !== undefined) && type !== "TXT") {
    yield { path: modePath, message: "is for TXT records" };
  }
  if (mode === "Prefix" && (prefix === undefined || prefix === "")) {
    yield { path, message: "is needed with the mode Prefix" };
  }
  if (prefix === undefined) return;
  if (mode !== "Prefix")
    yield { path, message: "has no effect without the mode Prefix", warning: true };
  if (!isPrintableAscii(prefix) || variablesIn(prefix).length > 0) {
    yield { path, message: "is printable ASCII without variables" };
  } else if (!data.startsWith(prefix)) {
    yield { path, message: "is not how the record's own text starts", warning: true };
  }
}
