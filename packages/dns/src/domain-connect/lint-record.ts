import { isIPv4, isIPv6 } from "node:net";
import type { Found } from "./lint-record-sets.ts";
import { lintTxt } from "./lint-txt.ts";
import {
  BUILT_IN_VARIABLES,
  isIdentifier,
  isPrintableAscii,
  isVariableName,
} from "./parameters.ts";
import {
  type DomainConnectRecord,
  type TemplateNumber,
  VARIABLE_FIELDS,
  variablesIn,
} from "./template.ts";

type Field = keyof DomainConnectRecord;

const REQUIRED: Readonly<Record<string, readonly Field[]>> = {
  A: ["host", "pointsTo", "ttl"],
  AAAA: ["host", "pointsTo", "ttl"],
  CNAME: ["host", "pointsTo", "ttl"],
  NS: ["host", "pointsTo", "ttl"],
  MX: ["host", "pointsTo", "ttl", "priority"],
  TXT: ["host", "data", "ttl"],
  SRV: ["name", "service", "protocol", "priority", "weight", "port", "target", "ttl"],
  SPFM: ["host", "spfRules"],
  CAA: ["host", "data", "ttl"],
};

const LARGEST: Readonly<Record<"ttl" | "priority" | "weight" | "port", number>> = {
  // RFC 2181 §8.
  ttl: 2_147_483_647,
  priority: 65_535,
  weight: 65_535,
  port: 65_535,
};

export function* lintRecord(record: DomainConnectRecord): Generator<Found> {
  const required = REQUIRED[record.type];
  if (required === undefined) {
    yield { path: "type", message: `${record.type} is not supported by all providers` };
    return;
  }
  for (const path of required) {
    if (record[path] === undefined) yield { path, message: `is needed by ${record.type} records` };
  }
  if (record.type === "NS" || record.type === "CAA") {
    const message = `${record.type} records are supported by few providers`;
    yield { path: "type", message, warning: true };
  }
  yield* lintOwner(record);
  yield* lintTarget(record);
  yield* lintBareValues(record);
  yield* lintNumbers(record);
  yield* lintTxt(record);
  yield* lintVariables(record);
  yield* lintChoices(record);
}

function* lintOwner(record: DomainConnectRecord): Generator<Found> {
  for (const path of ["host", "name"] as const) {
    const value = record[path] ?? "";
    if (variablesIn(value).includes("host")) {
      yield { path, message: "has %host%, which doubles the labels" };
    } else if (/^%[^%]+%$/.test(value)) {
      const message = "is a variable alone; subdomains go into the host parameter";
      yield { path, message, warning: true };
    }
  }
  const { service, protocol } = record;
  if (service !== undefined && !/^_[A-Za-z0-9-]+$/.test(service)) {
    yield { path: "service", message: "is a label that starts with an underscore" };
  }
  if (protocol !== undefined && !["_tcp", "_udp", "_tls"].includes(protocol.toLowerCase())) {
    yield { path: "protocol", message: "is _tcp, _udp or _tls" };
  }
}

function* lintTarget(record: DomainConnectRecord): Generator<Found> {
  const { type, pointsTo } = record;
  const isAddress = type === "A" || type === "AAAA";
  if (pointsTo === "@" && (isAddress || type === "NS")) {
    yield { path: "pointsTo", message: "must not be @" };
  } else if (isAddress && pointsTo !== undefined && variablesIn(pointsTo).length === 0) {
    const isRight = type === "A" ? isIPv4(pointsTo) : isIPv6(pointsTo);
    if (!isRight) yield { path: "pointsTo", message: `is an IPv${type === "A" ? 4 : 6} address` };
  }
}

function* lintBareValues(record: DomainConnectRecord): Generator<Found> {
  for (const path of ["pointsTo", "target", "data"] as const) {
    if (/^%[^%]+%$/.test(record[path] ?? "")) {
      const message = "is a variable alone, so that a link decides everything; put text around it";
      yield { path, message, warning: true };
    }
  }
}

function* lintNumbers(record: DomainConnectRecord): Generator<Found> {
  for (const path of ["ttl", "priority", "weight", "port"] as const) {
    const value = record[path];
    if (value !== undefined && !isNumberField(value, LARGEST[path])) {
      yield { path, message: `is a whole number up to ${LARGEST[path]}, or one variable` };
    }
  }
  if (Number(record.ttl) === 0) {
    yield { path: "ttl", message: "of zero is not honoured everywhere", warning: true };
  }
}

function isNumberField(value: TemplateNumber, largest: number): boolean {
  if (typeof value === "string" && /^%[A-Za-z0-9_-]+%$/.test(value)) return true;
  return /^\d+$/.test(String(value)) && Number(value) <= largest;
}

function* lintVariables(record: DomainConnectRecord): Generator<Found> {
  for (const path of VARIABLE_FIELDS) {
    const field = String(record[path] ?? "");
    if (!isPrintableAscii(field)) yield { path, message: "is not printable ASCII" };
    for (const name of variablesIn(field)) {
      if (!BUILT_IN_VARIABLES.has(name) && !isVariableName(name)) {
        yield { path, message: `%${name}% has the name of a parameter of the protocol` };
      }
    }
    if (field.replace(/%[A-Za-z0-9_-]+%/g, "").includes("%")) {
      yield { path, message: "has a percent sign that ends no variable" };
    }
  }
}

function* lintChoices(record: DomainConnectRecord): Generator<Found> {
  const { groupId, essential } = record;
  if (groupId !== undefined && !isIdentifier(groupId)) {
    yield { path: "groupId", message: "is an identifier without variables" };
  }
  if (essential !== undefined && essential !== "Always" && essential !== "OnApply") {
    yield { path: "essential", message: "is Always or OnApply" };
  }
}
