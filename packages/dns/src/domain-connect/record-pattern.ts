/** A record with placeholders, as `{{edge_cname}}`, that an application wants at every hostname. */
export interface RecordPattern {
  /** `@` is the hostname, a relative label stands below it. */
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
}

/** Where connected names lead; the same for all of them. */
export interface EdgeAddresses {
  readonly cname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/** A pattern in the language of templates: percent-sign variables, and hosts as templates read them. */
export interface ExpandedPattern {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

const DEFAULT_TTL_SECONDS = 300;

/** The records of a pattern, one for each address that it names; a text in place of one says why not. */
export function expandPattern(
  pattern: RecordPattern,
  kind: "apex" | "subdomain",
  edge: EdgeAddresses,
): readonly (ExpandedPattern | string)[] {
  if (`${pattern.host}${pattern.value}`.includes("%")) {
    return [`${described(pattern)}: a percent sign would start a variable of the template.`];
  }
  const host = expandHost(pattern.host, kind);
  if (host === null) {
    return [
      `${described(pattern)}: {{subdomain}} in a host would double the labels; write @ for the hostname.`,
    ];
  }
  const isApex = host === "%domain%." || (kind === "apex" && host === "@");
  const type = pattern.type.toUpperCase();
  const rest = { host, ttl: pattern.ttl ?? DEFAULT_TTL_SECONDS, priority: pattern.priority };
  if (type !== "CNAME" && type !== "ALIAS") {
    return expandValues(pattern.value, edge).map((value) => ({ ...rest, type, value }));
  }
  if (!isApex) {
    return expandValues(pattern.value, edge).map((value) => ({ ...rest, type: "CNAME", value }));
  }
  return followAtApex(pattern, edge, rest);
}

/** An apex cannot follow another name everywhere, but where that name leads is known here. */
function followAtApex(
  pattern: RecordPattern,
  edge: EdgeAddresses,
  rest: Pick<ExpandedPattern, "host" | "ttl" | "priority">,
): readonly (ExpandedPattern | string)[] {
  const isEdge = ["{{edge_cname}}", edge.cname].includes(pattern.value.replace(/\.$/, ""));
  if (!isEdge) return [`${described(pattern)}: no template can put a CNAME at the apex of a zone.`];
  const addresses = [
    ...edge.ipv4.map((value) => ({ ...rest, type: "A", value })),
    ...edge.ipv6.map((value) => ({ ...rest, type: "AAAA", value })),
  ];
  if (addresses.length > 0) return addresses;
  return [`${described(pattern)}: the edge has no addresses that an apex could point to.`];
}

function expandValues(value: string, edge: EdgeAddresses): readonly string[] {
  const filled = value
    .replaceAll("{{hostname}}", "%fqdn%")
    .replaceAll("{{apex}}", "%domain%")
    .replaceAll("{{subdomain}}", "%host%")
    .replaceAll("{{connection_id}}", "%connection%")
    .replaceAll("{{edge_cname}}", edge.cname);
  const addresses = filled.includes("{{edge_ipv4}}")
    ? edge.ipv4
    : filled.includes("{{edge_ipv6}}")
      ? edge.ipv6
      : [""];
  return addresses.map((address) =>
    filled.replaceAll("{{edge_ipv4}}", address).replaceAll("{{edge_ipv6}}", address),
  );
}

/** Null when the host cannot be said without the `%host%` that doubles labels. */
function expandHost(host: string, kind: "apex" | "subdomain"): string | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (kind === "apex") return relativeTo(name, ["{{hostname}}", "{{apex}}", "{{subdomain}}"]);
  const below = relativeTo(name, ["{{subdomain}}.{{apex}}", "{{hostname}}"]);
  if (below.includes("{{subdomain}}")) return null;
  const absolute = below.replaceAll("{{apex}}", "%domain%");
  return absolute === below ? below : `${absolute}.`;
}

/** The name relative to whichever of the endings it has, `@` for the ending itself. */
function relativeTo(name: string, endings: readonly string[]): string {
  for (const ending of endings) {
    if (name === ending) return "@";
    if (name.endsWith(`.${ending}`)) return relativeTo(name.slice(0, -ending.length - 1), endings);
  }
  return name === "" ? "@" : name;
}

function described({ host, type, value }: RecordPattern): string {
  return `${host} ${type.toUpperCase()} ${value}`;
}
