import type { Fields } from "../http/fields.ts";

/** Where an origin believes itself to be, and where the client sees it. */
export interface OriginPlace {
  readonly originUrl: string;
  /** Hostname and port as the client names them. */
  readonly authority: string;
}

/**
 * Translates the links of an origin that knows itself by its own name only: `Location` and
 * `Content-Location` that point below the origin's URL point to the client's host, and a cookie for the
 * origin's domain, which a browser would reject, becomes one for the client's host.
 */
export function translateOriginLinks(fields: Fields, place: OriginPlace): Fields {
  const origin = new URL(place.originUrl);
  return fields.map((value, index) => {
    if (index % 2 === 0) return value;
    const name = fields[index - 1];
    if (name === "location" || name === "content-location") return link(value, origin, place);
    return name === "set-cookie" ? cookie(value, origin.hostname) : value;
  });
}

function link(value: string, origin: URL, { authority }: OriginPlace): string {
  const [, server, rest = ""] = /^(?:https?:)?\/\/([^/?#]*)(.*)$/is.exec(value) ?? [];
  const prefix = origin.pathname.replace(/\/$/, "");
  if (server === undefined) return value.startsWith("/") ? (below(value, prefix) ?? value) : value;
  const path = isSameServer(server, origin) ? below(rest, prefix) : null;
  return path === null ? value : `https://${authority}${path}`;
}

/** The rest of a path, query and fragment below the prefix; null when they are elsewhere. */
function below(target: string, prefix: string): string | null {
  if (!target.startsWith(prefix)) return null;
  const rest = target.slice(prefix.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || /^[?#]/.test(rest) ? `/${rest}` : null;
}

/** An application behind TLS often names the other scheme, each with its default port. */
function isSameServer(server: string, origin: URL): boolean {
  const url = URL.canParse(`${origin.protocol}//${server}`)
    ? new URL(`${origin.protocol}//${server}`)
    : null;
  if (url === null || url.hostname !== origin.hostname) return false;
  return url.port === origin.port || /:(?:80|443)$/.test(server);
}

function cookie(value: string, originHost: string): string {
  return value.replace(/;\s*domain=\.?([^;\s]*)\s*(?=;|$)/gi, (attribute, domain: string) =>
    isOwnDomain(domain.toLowerCase(), originHost) ? "" : attribute,
  );
}

function isOwnDomain(domain: string, originHost: string): boolean {
  return domain === originHost || (domain !== "" && originHost.endsWith(`.${domain}`));
}
