/**
 * What a zone's verified NSEC or NSEC3 records say, in the terms that both share. A name "matches"
 * when a record stands at it, and is "covered" when a record spans the gap that it would be in.
 */
export interface Denial {
  /**
   * The types at a name that exists; null when no record stands at it. Empty for an empty
   * non-terminal.
   */
  typesAt(name: string): ReadonlySet<number> | null;
  /**
   * Whether a name is proven not to exist; `opt_out`: but an unsigned delegation may (RFC 5155 §6).
   */
  covers(name: string): "covered" | "opt_out" | null;
  /** The longest existing ancestor of a name that is covered; null when it is not proven. */
  closestEncloser(name: string): string | null;
}
