import { createHash } from "node:crypto";

/** A strong tag of the content; each encoding of it is another representation. */
export function etagOf(body: string | Buffer, encoding: string | null = null): string {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27);
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/** RFC 9110 section 13.1.2: weak comparison with any of a list, or with `*`. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(etag);
}
