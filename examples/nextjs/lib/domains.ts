/** Stands in for a table of your database: your customers' domains, by the connection's id. */
interface Domain {
  readonly customer: string | null;
  readonly state: string;
  readonly sequence: number;
}

// Routes and pages are bundled apart, so they share it through the global object.
const shared = globalThis as typeof globalThis & { acmeDomains?: Map<string, Domain> };
shared.acmeDomains ??= new Map();

export const domains: Map<string, Domain> = shared.acmeDomains;
