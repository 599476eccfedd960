/** The store takes no changes: the disk is full, or cannot be written. */
export class UnwritableStore extends Error {}

/** Another process writes the store since this one gave no sign of life. Nothing was written. */
export class TakenOverStore extends Error {}

/** Of SQLite; the lower byte of an extended result code. */
const resultCodes = {
  perm: 3,
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}

/** Another connection is in the middle of a write. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === resultCodes.busy;
}

/** A failure of the disk, and not of what is on it. */
export function isFailure(error: unknown): boolean {
  const { perm, readOnly, io, full, cannotOpen } = resultCodes;
  return [perm, readOnly, io, full, cannotOpen].includes(resultCode(error) ?? 0);
}

function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode & 0xff : null;
}
