import type { StoredAssertionKey } from "../../db/assertion-keys.ts";
import type { StoredCertificate } from "../../db/certificates.ts";
import type { StoredTicketKey } from "../../db/ticket-keys.ts";
import type { StoredApplication } from "../../hosts/application.ts";
import type { Host } from "../../hosts/host.ts";

/** What the stream holds under a subject; null for what is no longer there. */
export type HostValue = Host | null;
export type ApplicationValue = StoredApplication | null;
export type CertificateValue = StoredCertificate | null;

/** The last value of `progressSubject`. It follows all that it confirms. */
export interface Progress {
  /** The process that writes the stream, and until when no other takes over. */
  readonly writer: string;
  readonly leasedUntil: Date;
  /**
   * When everything before this message was equal to the database; null while the stream is not
   * whole.
   */
  readonly asOf: Date | null;
  /** The ids of the last changes in the stream. */
  readonly hostChange: number;
  readonly certificateChange: number;
  /** `valuesVersion` of the process that wrote the values; absent in earlier releases. */
  readonly version?: number;
}

/** Of what the values hold: a stream with values of another version is written again whole. */
export const valuesVersion = 2;

/** On a message whose value is null: it is deleted after a while. */
export const removedHeader = "Mooring-Removed";

export function encodeValue(value: unknown): string {
  return JSON.stringify(value);
}

/** The stream writer signs its values, so they are not checked again. */
function decode<T>(data: Uint8Array): T {
  return JSON.parse(Buffer.from(data).toString("utf8")) as T;
}

export const decodeHost = (data: Uint8Array): HostValue => decode<HostValue>(data);

export const decodeApplication = (data: Uint8Array): ApplicationValue =>
  decode<ApplicationValue>(data);

type OnWire<T, Dates extends keyof T> = Omit<T, Dates> & Readonly<Record<Dates, string>>;

export function decodeCertificate(data: Uint8Array): CertificateValue {
  const value = decode<OnWire<StoredCertificate, "notAfter"> | null>(data);
  return value && { ...value, notAfter: new Date(value.notAfter) };
}

export function decodeProgress(data: Uint8Array): Progress {
  const value = decode<
    OnWire<Omit<Progress, "asOf">, "leasedUntil"> & { readonly asOf: string | null }
  >(data);
  const asOf = value.asOf === null ? null : new Date(value.asOf);
  return { ...value, leasedUntil: new Date(value.leasedUntil), asOf };
}

export function decodeTicketKeys(data: Uint8Array): readonly StoredTicketKey[] {
  const keys = decode<readonly OnWire<StoredTicketKey, "startsAt">[]>(data);
  return keys.map((key) => ({ ...key, startsAt: new Date(key.startsAt) }));
}

export function decodeAssertionKeys(data: Uint8Array): readonly StoredAssertionKey[] {
  const keys = decode<readonly OnWire<StoredAssertionKey, "createdAt">[]>(data);
  return keys.map((key) => ({ ...key, createdAt: new Date(key.createdAt) }));
}
