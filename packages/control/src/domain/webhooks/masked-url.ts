/** Long enough for a secret; shorter text is a word, a version or an id. */
const minSecretLength = 16;
/** So long a part of a path is a secret also without digits. */
const surelySecretLength = 32;
const shownEnd = 4;

/**
 * A URL without what may be a secret in it: user info, the values of the query, long random parts
 * of the path, the fragment. The same URL when there is nothing of that.
 */
export function maskUrl(text: string): string {
  const url = new URL(text);
  const userInfo = url.username !== "" || url.password !== "" ? "***@" : "";
  const path = url.pathname.split("/").map(maskPart).join("/");
  const query =
    url.search === "" ? "" : `?${url.search.slice(1).split("&").map(maskPair).join("&")}`;
  const masked = `${url.protocol}//${userInfo}${url.host}${path}${query}${url.hash === "" ? "" : "#***"}`;
  return masked;
}

/** The end of a long one is shown, as of API keys, so that two receivers can be distinguished. */
function maskPart(part: string): string {
  if (!isRandom(part)) return part;
  return part.length >= surelySecretLength ? `***${part.slice(-shownEnd)}` : "***";
}

function isRandom(part: string): boolean {
  if (part.length >= surelySecretLength) return true;
  return part.length >= minSecretLength && /[0-9]/.test(part) && /[A-Za-z]/.test(part);
}

function maskPair(pair: string): string {
  const equals = pair.indexOf("=");
  return equals < 0 ? "***" : `${maskPart(pair.slice(0, equals))}=***`;
}
