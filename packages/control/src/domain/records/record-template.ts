import { baseName, isAtOrBelow, parseRecord } from "@mooring/dns";
import type { TemplateRecord } from "../applications/application.ts";
import type { Issue } from "../errors.ts";

/**
 * The values that fill the placeholders of an application's record template for one hostname. `@`
 * is the connection's hostname; a relative label is below it.
 */
export interface TemplateValues {
  readonly hostname: string;
  readonly apex: string;
  /** The labels left of the apex; empty for the apex itself. */
  readonly subdomain: string;
  readonly connectionId: string;
  readonly edgeCname: string;
  /** The connection's own name below the edge's; the edge's name where all share it. */
  readonly target: string;
  readonly edgeIpv4: readonly string[];
  readonly edgeIpv6: readonly string[];
  /** Null where validation is not delegated. */
  readonly validationName: string | null;
}

export interface RenderedRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

export const defaultTtlSeconds = 300;

const hostPlaceholders = ["hostname", "apex", "subdomain"];
const valuePlaceholders = [
  ...hostPlaceholders,
  "edge_cname",
  "target",
  "edge_ipv4",
  "edge_ipv6",
  "connection_id",
  "validation_name",
];

/** Sample values, to validate a template before any domain is connected. */
const sample: TemplateValues = {
  hostname: "shop.customer.example",
  apex: "customer.example",
  subdomain: "shop",
  connectionId: "00000000-0000-7000-8000-000000000000",
  edgeCname: "edge.service.example",
  target: "abcdefghijklmnopqrstuvwxyz.edge.service.example",
  edgeIpv4: ["192.0.2.1"],
  edgeIpv6: ["2001:db8::1"],
  validationName: "abcdefghijklmnopqrstuvwxyz.v.service.example",
};

/** Every problem of a template, by path; an empty list means that every record can be rendered. */
export function templateIssues(template: readonly TemplateRecord[]): Issue[] {
  return template.flatMap((record, index) => {
    const at = `record_template.${index}`;
    const unknown = [
      ...unknownPlaceholders(record.host, hostPlaceholders, `${at}.host`),
      ...unknownPlaceholders(record.value, valuePlaceholders, `${at}.value`),
    ];
    if (unknown.length > 0) return unknown;
    return renderRecord(record, sample).flatMap((rendered) => {
      const parsed = parseRecord({ ...rendered, name: rendered.host });
      if (parsed.ok) return [];
      return [
        {
          path: `${at}.${parsed.field === "name" ? "host" : parsed.field}`,
          message: parsed.message,
        },
      ];
    });
  });
}

/**
 * One record, or one for each edge address when the value is an address placeholder; none for the
 * validation name where there is none.
 */
export function renderRecord(record: TemplateRecord, values: TemplateValues): RenderedRecord[] {
  if (values.validationName === null && record.value.includes("{{validation_name}}")) return [];
  const rest = {
    host: absoluteHost(fill(record.host, values, null), values),
    type: record.type.toUpperCase(),
    ttl: record.ttl ?? defaultTtlSeconds,
    priority: record.priority,
  };
  const addresses = record.value.includes("{{edge_ipv4}}")
    ? values.edgeIpv4
    : record.value.includes("{{edge_ipv6}}")
      ? values.edgeIpv6
      : [null];
  return addresses.map((address) => ({ ...rest, value: fill(record.value, values, address) }));
}

/** A host at or below the apex is absolute; anything else is a label below the hostname. */
function absoluteHost(host: string, values: TemplateValues): string {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (name === "@" || name === "") return values.hostname;
  return isAtOrBelow(name, values.apex) ? name : `${name}.${baseName(values.hostname)}`;
}

function fill(text: string, values: TemplateValues, address: string | null): string {
  const table: Readonly<Record<string, string>> = {
    hostname: values.hostname,
    apex: values.apex,
    subdomain: values.subdomain,
    edge_cname: values.edgeCname,
    target: values.target,
    edge_ipv4: address ?? "",
    edge_ipv6: address ?? "",
    connection_id: values.connectionId,
    validation_name: values.validationName ?? "",
  };
  return text.replace(/\{\{([a-z0-9_]+)\}\}/g, (whole, name: string) => table[name] ?? whole);
}

function unknownPlaceholders(text: string, known: readonly string[], path: string): Issue[] {
  const named = [...text.matchAll(/\{\{\s*([^}]*?)\s*\}\}/g)].map((match) => match[1] ?? "");
  const stray = text.replace(/\{\{[a-z0-9_]+\}\}/g, "");
  const issues = named
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path,
      message: `unknown placeholder {{${name}}}; known here: ${known.map((one) => `{{${one}}}`).join(" ")}`,
    }));
  if (issues.length === 0 && /\{\{|\}\}/.test(stray)) {
    issues.push({ path, message: "a placeholder is written {{name}}, without spaces" });
  }
  return issues;
}
