/**
 * The path and query of the request to an origin whose URL has a path, `prefix`: a boundary that a
 * client cannot leave. Plain dot segments are resolved (RFC 3986 §5.2.4). Null when another server
 * could still read a `..` in the rest, for example after decoding it once more.
 */
export function pathBelow(prefix: string, target: string): string | null {
  if (prefix === "" || target === "*") return target;
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  const query = end === -1 ? "" : target.slice(end);
  if (!dotLike.test(path)) return prefix + target;
  const resolved = withoutDotSegments(path);
  return canClimb(resolved) ? null : prefix + resolved + query;
}

/** Only such paths can have a dot segment, encoded once or more often. */
const dotLike = /\.|%/;
const dot = /^(?:\.|%2e)$/i;
const twoDots = /^(?:\.|%2e){2}$/i;

function withoutDotSegments(path: string): string {
  const segments = path.split("/").slice(1);
  const resolved: string[] = [];
  for (const segment of segments) {
    if (twoDots.test(segment)) resolved.pop();
    else if (!dot.test(segment)) resolved.push(segment);
  }
  const last = segments.at(-1) ?? "";
  const isDirectory = dot.test(last) || twoDots.test(last);
  return `/${resolved.join("/")}${isDirectory && resolved.length > 0 ? "/" : ""}`;
}

/** More decodings than any chain of servers is known to do. */
const maxDecodings = 4;

/** Whether a server that decodes, takes `\` for `/` or drops `;parameters` finds a `..` segment. */
function canClimb(path: string): boolean {
  let text = path;
  for (let round = 0; round <= maxDecodings; round += 1) {
    if (/(?:^|[/\\])\.\.(?:[/\\;\0]|$)/.test(text)) return true;
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  // Encoded more often than that: nobody does it by accident.
  return /%/.test(text);
}
