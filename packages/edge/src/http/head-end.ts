const lf = 10;
const cr = 13;

/**
 * Where the empty line begins that ends the head from `from` on; -1 while it has none. Three of
 * four bytes are not even read, and unlike `indexOf` this is no call out of JavaScript.
 */
export function headEndIn(bytes: Buffer, from: number): number {
  let at = from + 3;
  while (at < bytes.length) {
    const code = bytes[at] ?? 0;
    if (code === lf) {
      if (bytes[at - 1] === cr && bytes[at - 2] === lf && bytes[at - 3] === cr) return at - 3;
      at += 2;
    } else at += code === cr ? 1 : 4;
  }
  return -1;
}

/** What follows the empty line that begins at `end`; null when that is all. */
export function bytesAfterHead(bytes: Buffer, end: number): Buffer | null {
  const next = end + 4;
  return next < bytes.length ? bytes.subarray(next) : null;
}
