/** A time of a row: as the driver decodes the column, or the text that JSON has of it. */
export type Time = Date | string;

/** A row from a table, or the same row as JSON. */
export type RowOrJson<R> = {
  readonly [K in keyof R]: R[K] extends Date ? Time : R[K] extends Date | null ? Time | null : R[K];
};

export function readTime(time: Time): Date {
  return typeof time === "string" ? new Date(time) : time;
}

export function readTimeOrNull(time: Time | null): Date | null {
  return time === null ? null : readTime(time);
}
