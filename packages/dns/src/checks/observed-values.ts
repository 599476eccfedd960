import { cutText } from "../foreign-text.ts";

/** What a check keeps of one name and type. A zone's owner chooses how much its servers answer. */
export const maxObservedValues = 32;
export const maxObservedLength = 512;

export interface ObservedValues {
  readonly values: readonly string[];
  /** How many further values were there. */
  readonly omitted: number;
  /** Whether a value was left out or cut. */
  readonly isTruncated: boolean;
}

/**
 * At most 32 different values of 512 characters each; the wanted one is among them if it was seen.
 */
export function boundValues(seen: Iterable<string>, requested: string): ObservedValues {
  const different = new Set(seen);
  const ordered = different.has(requested)
    ? [...new Set([requested, ...different])]
    : [...different];
  const retained = ordered.slice(0, maxObservedValues);
  const omitted = ordered.length - retained.length;
  const isCut = retained.some((value) => value.length > maxObservedLength);
  return {
    values: retained.map((value) => cutText(value, maxObservedLength)),
    omitted,
    isTruncated: omitted > 0 || isCut,
  };
}
