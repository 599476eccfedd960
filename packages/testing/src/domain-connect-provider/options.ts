import type { DnsRecord, DomainConnectTemplate } from "../../../dns/src/index.ts";

/** The templates, clients and zones of one DNS provider. */
export interface ProviderOptions {
  readonly providerId: string;
  readonly providerName: string;
  /** The URL that zones publish for it; its address on loopback by default. */
  readonly baseUrl?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly port?: number;
  /** Templates that it has onboarded; tests may add to the list. */
  readonly templates: readonly DomainConnectTemplate[];
  holdsZone(domain: string): boolean | Promise<boolean>;
  readZone(domain: string): Promise<readonly DnsRecord[]>;
  /** Removes and adds in one change. */
  writeZone(domain: string, change: ZoneChange): Promise<void>;
  /** The TXT records of a name in public DNS, each joined; the signing keys are there. */
  lookupTxt(name: string): Promise<readonly string[]>;
  /** The clients of the asynchronous flow; without any the flow is not offered. */
  readonly clients?: readonly ProviderClient[];
  /** Whether the redirect returns `state`; one large provider omits it. */
  readonly echoesState?: boolean;
  /** A provider that cannot revert a template answers 501. */
  readonly canRevert?: boolean;
  readonly now?: () => Date;
}

export interface ZoneChange {
  readonly add: readonly DnsRecord[];
  readonly remove: readonly DnsRecord[];
}

export interface ProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** Whose templates it may apply. */
  readonly providerId: string;
}

/** The template of a service; undefined when it is not onboarded. */
export function findTemplate(
  options: ProviderOptions,
  providerId: string,
  serviceId: string,
): DomainConnectTemplate | undefined {
  return options.templates.find(
    (template) => template.providerId === providerId && template.serviceId === serviceId,
  );
}
