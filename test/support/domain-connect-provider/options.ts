import type { DnsRecord, DomainConnectTemplate } from "../../../packages/dns/src/index.ts";

/** What one DNS provider knows, and how it reaches the zones that it serves. */
export interface ProviderOptions {
  readonly providerId: string;
  readonly providerName: string;
  /** Where zones say that it is; its own address on loopback by default. */
  readonly baseUrl?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly port?: number;
  /** Templates that it has taken over; tests may add to the list. */
  readonly templates: readonly DomainConnectTemplate[];
  holdsZone(domain: string): boolean | Promise<boolean>;
  readZone(domain: string): Promise<readonly DnsRecord[]>;
  /** Removing and adding are one change. */
  writeZone(domain: string, change: ZoneChange): Promise<void>;
  /** The TXT records of a name in DNS as the world sees it, each joined; where keys are found. */
  lookupTxt(name: string): Promise<readonly string[]>;
  /** Who may use the asynchronous flow; without any it is not offered. */
  readonly clients?: readonly ProviderClient[];
  /** Whether `state` comes back; one large provider leaves it out. */
  readonly echoesState?: boolean;
  /** One that cannot take a template back answers 501. */
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

/** The path of a template's service, and the template; undefined when it was not taken over. */
export function findTemplate(
  options: ProviderOptions,
  providerId: string,
  serviceId: string,
): DomainConnectTemplate | undefined {
  return options.templates.find(
    (template) => template.providerId === providerId && template.serviceId === serviceId,
  );
}
