import { crc32 } from "node:zlib";
import type { StoredApplication } from "../application.ts";

/** The store, or a row of it, is not as it was written. */
export class DamagedStore extends Error {}

/** A value in the store, under a key, with the checksum of both. */
export interface StoredRow {
  readonly key: string;
  readonly value: string;
  readonly checksum: number;
}

export function createRow(key: string, value: string): StoredRow {
  return { key, value, checksum: crc32(`${key}\n${value}`) };
}

/** The value of the row, if it is as it was written. */
export function checkedValue({ key, value, checksum }: StoredRow): string {
  if (createRow(key, value).checksum !== checksum) throw new DamagedStore(`the row of ${key}`);
  return value;
}

export function applicationRow(stored: StoredApplication): StoredRow {
  return createRow(stored.id, JSON.stringify(stored));
}

export function readApplicationRow(row: StoredRow): StoredApplication {
  return JSON.parse(checkedValue(row)) as StoredApplication;
}
