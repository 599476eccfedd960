export interface Origin {
  readonly url: string;
  /** Its share of the requests; 0 takes some only while no other does. */
  readonly weight: number;
}

/** TLS to the origins; the private key of the certificate is sealed, beside it. */
export interface OriginTls {
  /** PEM, instead of the public CAs. */
  readonly ca: string | null;
  /** PEM, with its chain. */
  readonly clientCertificate: string | null;
  readonly serverName: string | null;
  readonly verifyName: string | null;
}

/** A list that does not begin with the origin was written before that was changed. */
export function readOrigins(originUrl: string | null, stored: unknown): readonly Origin[] {
  if (originUrl === null) return [];
  const list = Array.isArray(stored) ? stored.filter(isOrigin) : [];
  return list[0]?.url === originUrl ? list : [{ url: originUrl, weight: 1 }];
}

export function readOriginTls(stored: unknown): OriginTls {
  const values = isObject(stored) ? stored : {};
  return {
    ca: textIn(values["ca"]),
    clientCertificate: textIn(values["clientCertificate"]),
    serverName: textIn(values["serverName"]),
    verifyName: textIn(values["verifyName"]),
  };
}

function isOrigin(value: unknown): value is Origin {
  return isObject(value) && typeof value["url"] === "string" && typeof value["weight"] === "number";
}

/** Anything with properties in a JSON column, a list included. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
