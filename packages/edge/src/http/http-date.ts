let second = 0;
let text = "";

/** The value of `Date` (RFC 9110 §6.6.1) now; formatted once a second. */
export function httpDate(now = Date.now()): string {
  const current = Math.floor(now / 1_000);
  if (current !== second) {
    second = current;
    text = new Date(now).toUTCString();
  }
  return text;
}
