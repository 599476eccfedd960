import { crc32 } from "node:zlib";
import type { StoredApplication } from "./application.ts";
import type { Host, OwnSettings } from "./host.ts";

/** The store, or a row of it, is not as it was written. */
export class DamagedStore extends Error {}

/** A value in the store, under a key, with the checksum of both. */
export interface StoredRow {
  readonly key: string;
  readonly value: string;
  readonly checksum: number;
}

export function rowOf(key: string, value: string): StoredRow {
  return { key, value, checksum: crc32(`${key}\n${value}`) };
}

/** The value of the row, if it is as it was written. */
export function checkedValue({ key, value, checksum }: StoredRow): string {
  if (rowOf(key, value).checksum !== checksum) throw new DamagedStore(`the row of ${key}`);
  return value;
}

/** In the order of `hostRow`: names of fields would take more than half of the store. */
type HostFields = readonly [
  epoch: number,
  environment: Host["environment"],
  connectionId: string,
  applicationId: string,
  tenantId: string,
  registrableDomain: string,
  own: OwnSettings | null,
];

export function hostRow(host: Host): StoredRow {
  const fields: HostFields = [
    host.epoch,
    host.environment,
    host.connectionId,
    host.applicationId,
    host.tenantId,
    host.registrableDomain,
    host.own,
  ];
  return rowOf(host.hostname, JSON.stringify(fields));
}

export function readHostRow(row: StoredRow): Host {
  const fields = JSON.parse(checkedValue(row)) as HostFields;
  const [epoch, environment, connectionId, applicationId, tenantId, registrableDomain, own] =
    fields;
  return {
    hostname: row.key,
    ...{ epoch, environment, connectionId, applicationId, tenantId, registrableDomain, own },
  };
}

export function applicationRow(stored: StoredApplication): StoredRow {
  return rowOf(stored.id, JSON.stringify(stored));
}

export function readApplicationRow(row: StoredRow): StoredApplication {
  return JSON.parse(checkedValue(row)) as StoredApplication;
}
