import type { Fields } from "../../http/fields.ts";

/** Where the origins of an application believe themselves to be, and where the client sees them. */
export interface OriginLocation {
  readonly originUrls: readonly string[];
  /** Hostname and port as the client names them. */
  readonly authority: string;
}

/**
 * Translates the links of an origin that knows itself by its own name only: `Location` and
 * `Content-Location` that point below the origin's URL point to the client's host, and a cookie for
 * the origin's domain, which a browser would reject, becomes one for the client's host.
 */
export function translateOriginLinks(fields: Fields, location: OriginLocation): Fields {
  const origins = location.originUrls.map((url) => new URL(url));
  return fields.map((value, index) => {
    if (index % 2 === 0) return value;
    const name = fields[index - 1];
    if (name === "location" || name === "content-location") return link(value, origins, location);
    return name === "set-cookie" ? cookie(value, origins) : value;
  });
}

function link(value: string, origins: readonly URL[], { authority }: OriginLocation): string {
  const [, server, rest = ""] = /^(?:https?:)?\/\/([^/?#]*)(.*)$/is.exec(value) ?? [];
  if (server === undefined) {
    return value.startsWith("/") ? (below(value, readPrefix(origins[0])) ?? value) : value;
  }
  const origin = origins.find((one) => isSameServer(server, one));
  const path = origin === undefined ? null : below(rest, readPrefix(origin));
  return path === null ? value : `https://${authority}${path}`;
}

/** A path alone does not say which origin it is of; they usually have the same prefix. */
function readPrefix(origin: URL | undefined): string {
  return origin?.pathname.replace(/\/$/, "") ?? "";
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

function cookie(value: string, origins: readonly URL[]): string {
  return value.replace(/;\s*domain=\.?([^;\s]*)\s*(?=;|$)/gi, (attribute, domain: string) =>
    origins.some(({ hostname }) => isOwnDomain(domain.toLowerCase(), hostname)) ? "" : attribute,
  );
}

function isOwnDomain(domain: string, originHost: string): boolean {
  return domain === originHost || (domain !== "" && originHost.endsWith(`.${domain}`));
}
