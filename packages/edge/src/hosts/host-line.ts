import type { Host, OwnSettings } from "./host.ts";

/**
 * A host as the store has it: the fields after its name in this order, separated by tabs, which no
 * field contains. The database writes the same, after the name and a tab: millions of hosts are
 * stored without being parsed.
 */
export interface HostLine {
  readonly hostname: string;
  readonly line: string;
}

const separator = "\t";

export function hostLine(host: Host): string {
  const { epoch, environment, connectionId, applicationId, tenantId, registrableDomain } = host;
  const { own, customerRef } = host;
  return [
    epoch,
    environment,
    connectionId,
    applicationId,
    tenantId,
    registrableDomain,
    own === null ? "" : JSON.stringify(own),
    customerRef === undefined ? "" : JSON.stringify(customerRef),
  ].join(separator);
}

export function readHostLine({ hostname, line }: HostLine): Host {
  const [
    epoch = "",
    environment = "",
    connectionId = "",
    applicationId = "",
    tenantId = "",
    registrableDomain = "",
    own = "",
    customerRef = "",
  ] = line.split(separator);
  return {
    hostname,
    epoch: Number(epoch),
    environment: environment as Host["environment"],
    connectionId,
    applicationId,
    tenantId,
    registrableDomain,
    own: ownSettings(own),
    ...(customerRef === "" ? {} : { customerRef: JSON.parse(customerRef) as string }),
  };
}

/** The lines of a text as the database writes it. */
export function hostLines(text: string): readonly HostLine[] {
  return text.split("\n").map((whole) => {
    const end = whole.indexOf(separator);
    return { hostname: whole.slice(0, end), line: whole.slice(end + 1) };
  });
}

/** Without reading the rest. */
export function readEpoch(line: string): number {
  return Number(line.slice(0, line.indexOf(separator)));
}

/** Without reading the rest. */
export function readApplicationId(line: string): string {
  let start = 0;
  for (let field = 0; field < 3; field += 1) start = line.indexOf(separator, start) + 1;
  return line.slice(start, line.indexOf(separator, start));
}

function ownSettings(text: string): OwnSettings | null {
  const own = text === "" ? {} : (JSON.parse(text) as Partial<OwnSettings>);
  const { redirectTo = null, originUrl = null, originHostHeader = null, rules } = own;
  const isUnset = redirectTo === null && originUrl === null && originHostHeader === null;
  if (rules !== undefined) return { redirectTo, originUrl, originHostHeader, rules };
  return isUnset ? null : { redirectTo, originUrl, originHostHeader };
}
