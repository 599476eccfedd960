/** What a backup consists of, in this order: schema, (table, rows…, table_end)…, sequences, end. */
export type BackupEntry =
  /** The migrations that the database had: version and checksum. */
  | { readonly kind: "schema"; readonly migrations: readonly (readonly [number, string])[] }
  | { readonly kind: "table"; readonly name: string; readonly columns: readonly string[] }
  /** In the text format of COPY; need not end with a row. */
  | { readonly kind: "rows"; readonly bytes: Buffer }
  | { readonly kind: "table_end"; readonly rows: number; readonly sha256: string }
  | { readonly kind: "sequences"; readonly sequences: readonly SequenceState[] }
  | { readonly kind: "end"; readonly tables: number; readonly rows: number };

export interface SequenceState {
  readonly name: string;
  /** As text: it may be larger than a number can be. */
  readonly value: string;
  readonly isCalled: boolean;
}

/**
 * Under which values are written as text, so that every server reads them alike, and without the
 * time limits that a login may have been set.
 */
export const copySettings = `
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'; set client_encoding = 'UTF8';
  select set_config(name, '0', false) from pg_settings where name in ('statement_timeout',
    'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout',
    'transaction_timeout')`;
