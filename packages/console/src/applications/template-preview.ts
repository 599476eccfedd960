/** A line of the template while it is edited. */
export interface TemplateLine {
  readonly key: number;
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: string;
}

interface Sample {
  readonly hostname: string;
  readonly apex: string;
}

export interface PreviewRecord {
  readonly key: number;
  readonly host: string;
  readonly type: string;
  readonly value: string;
}

/**
 * What the lines become for a domain. The edge's own values are the operator's; their names stand
 * for them.
 */
export function previewTemplate(
  lines: readonly TemplateLine[],
  sample: Sample,
): readonly PreviewRecord[] {
  if (lines.length === 0) return defaultRecords(sample);
  return lines.map(({ key, host, type, value, priority }) => {
    const filled = fill(value, sample);
    return {
      key,
      host: absoluteHost(fill(host, sample), sample),
      type,
      value: priority === "" ? filled : `${priority} ${filled}`,
    };
  });
}

function defaultRecords({ hostname, apex }: Sample): readonly PreviewRecord[] {
  const type = hostname === apex ? "ALIAS" : "CNAME";
  return [{ key: 0, host: hostname, type, value: edgeValues["edge_cname"] ?? "" }];
}

const edgeValues: Readonly<Record<string, string>> = {
  edge_cname: "‹the edge's name›",
  edge_ipv4: "‹the edge's IPv4›",
  edge_ipv6: "‹the edge's IPv6›",
  connection_id: "‹the connection's id›",
};

function fill(text: string, { hostname, apex }: Sample): string {
  const subdomain = hostname === apex ? "" : hostname.slice(0, -apex.length - 1);
  const values: Readonly<Record<string, string>> = { hostname, apex, subdomain, ...edgeValues };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

/** `@` is the domain; a name that ends with it is complete; anything else is a label below it. */
function absoluteHost(host: string, { hostname, apex }: Sample): string {
  if (host === "@" || host === "") return hostname;
  return host === apex || host.endsWith(`.${apex}`) ? host : `${host}.${hostname}`;
}
