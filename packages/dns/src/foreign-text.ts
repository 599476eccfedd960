/**
 * Text that others wrote, made safe to store, log and show: DNS values, answers of providers,
 * receivers and certificate authorities, and what clients send.
 */

/** Valid Unicode without NUL: PostgreSQL stores anything else neither in text nor in jsonb. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The entry of a table for such a text; none for `constructor`, which every object has. */
export function entryFor<T>(table: Readonly<Record<string, T>>, text: string): T | undefined {
  return Object.hasOwn(table, text) ? table[text] : undefined;
}

/** They reorder what is displayed, so that a value can pass for another (CVE-2021-42574). */
const bidirectionalControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Valid Unicode without NUL and bidirectional controls, each replaced by U+FFFD, which no wanted
 * text may contain: a value that was altered here equals none that is wanted. Cut to `maxLength`
 * characters.
 */
export function foreignText(text: string, maxLength: number = Number.POSITIVE_INFINITY): string {
  const clean = text
    .toWellFormed()
    .replaceAll("\0", "\ufffd")
    .replaceAll(bidirectionalControls, "\ufffd");
  return cutText(clean, maxLength);
}

/** The same on one line: control and format characters and line breaks become spaces. */
export function foreignLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
  return cutText(line.trim(), maxLength);
}

/** At most `maxLength` UTF-16 units, never half of a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? maxLength - 1 : maxLength);
}
