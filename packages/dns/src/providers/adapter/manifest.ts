/**
 * A DNS provider as data. Forms, validation, documentation and detection are generated from it;
 * nothing outside `providers/` may name a slug.
 */

/**
 * One input of a credential form. Names are those of the wire, so that they can be served as is.
 */
interface CredentialField {
  readonly key: string;
  readonly label: string;
  /** Sealed at rest, never shown again, and removed from every message. */
  readonly secret: boolean;
  readonly required: boolean;
  /** The page where the value is shown or created. */
  readonly help_url: string;
  readonly placeholder?: string;
}

/**
 * The input with the SHA-256 fingerprint of the certificate of a server that the customer runs, for
 * one that no public authority signed; with it no other certificate is accepted.
 */
export const certificateKey = "certificate_sha256";

export function certificateField(helpUrl: string): CredentialField {
  return {
    key: certificateKey,
    label: "SHA-256 fingerprint of the server's certificate",
    secret: false,
    required: false,
    help_url: helpUrl,
  };
}

interface AllowedAddress {
  readonly families: readonly ("ipv4" | "ipv6")[];
  /** The input that repeats the address in each request, where there is one. */
  readonly field?: string;
}

interface ProviderCapabilities {
  /** The zone's apex can follow an arbitrary host name, by whichever record type. */
  readonly cname_flattening: boolean;
  readonly wildcard: boolean;
  readonly caa: boolean;
  readonly multi_txt: boolean;
  readonly ns_delegation: boolean;
}

interface NameserverPatterns {
  /** A server matches when its name equals a suffix or ends with "." and the suffix. */
  readonly suffixes: readonly string[];
  /** Matched against the whole server name; more specific than any suffix. */
  readonly expressions: readonly RegExp[];
  /** Slugs of others that use the same servers. */
  readonly ambiguousWith: readonly string[];
}

/** A panel that each web host runs on its own machines. */
interface HostPanel {
  /** Where it listens, with TLS. */
  readonly port: number;
  /** Headers of its first page; one of them is enough. */
  readonly marks: readonly { readonly header: string; readonly matches: RegExp }[];
}

export interface ProviderManifest {
  readonly slug: string;
  readonly name: string;
  /** Records can be written through the provider's API by this service. */
  readonly adapter: boolean;
  readonly nameservers: NameserverPatterns;
  readonly credentialFields: readonly CredentialField[];
  /** What takes the token of a customer's sign-in, in place of the inputs; never part of a form. */
  readonly signInField?: string;
  /** Inputs that select the server, where each customer runs one. */
  readonly serverFields?: readonly string[];
  /** How the panel is recognised on a machine, where the names of servers tell nothing. */
  readonly panel?: HostPanel;
  /** How to create a credential, and the least permissions it needs. */
  readonly credentialHelp: string;
  /**
   * What a credential needs to read which servers a zone has, in the provider's words; where the
   * list of zones does not say it.
   */
  readonly nameserverPermission?: string;
  /**
   * The provider answers only to addresses on its customer's list; only the operator knows ours.
   */
  readonly allowedAddress?: AllowedAddress;
  /**
   * Set where every write replaces the whole zone and the API does not list all of it: one sentence
   * on what is lost. A person has to accept it before each write.
   */
  readonly rewriteWarning?: string;
  /** A changed record is deleted and added again, so that its name is without it for a moment. */
  readonly cannotChangeInPlace?: true;
  /** Types that the provider has and its API cannot write, beside those of `capabilities`. */
  readonly unwritableTypes?: readonly string[];
  readonly capabilities: ProviderCapabilities;
  /** How the apex follows a host name: a separate record type, a flattened CNAME, or not at all. */
  readonly apexFlattening: "alias" | "cname" | "none";
  /** The type to choose in the provider's form for that; null when there is none. */
  readonly apexRecordType: "ALIAS" | "ANAME" | "CNAME" | null;
  /** The provider is known to offer Domain Connect; discovery decides for a given zone. */
  readonly domainConnect: boolean;
  readonly minimumTtlSeconds: number;
  readonly defaultTtlSeconds: number;
  /** What the provider's own form calls its inputs. */
  readonly fieldNames: { readonly host: string; readonly value: string; readonly ttl: string };
  /** Whether the form's host input takes a name relative to the zone or a full one. */
  readonly hostStyle: "relative" | "absolute";
  /** What to put there for the apex: "@", nothing, or the zone's own name. */
  readonly apexHost: "@" | "" | "zone";
  readonly docsUrl: string;
}
