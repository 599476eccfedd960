import type { ImportRow } from "@mooring/control";
import { exitCode } from "../../action.ts";
import { CommandError } from "../failure.ts";

/** How a vendor's API is asked. */
export interface VendorAccess {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly token: string;
}

const timeoutMs = 30_000;
/** Far above any real account; ends a listing that never does. */
const maxPages = 10_000;

interface CloudflarePage {
  readonly result?: readonly {
    readonly id?: unknown;
    readonly hostname?: unknown;
    readonly custom_origin_server?: unknown;
    readonly ssl?: { readonly wildcard?: unknown } | null;
  }[];
  readonly result_info?: { readonly total_pages?: unknown };
}

/** The custom hostnames of a Cloudflare zone (Cloudflare for SaaS). */
export async function readCloudflare(
  access: VendorAccess,
  zone: string,
): Promise<readonly ImportRow[]> {
  const rows: ImportRow[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const path = `/zones/${encodeURIComponent(zone)}/custom_hostnames?page=${page}&per_page=50`;
    const { result, result_info: info } = await ask<CloudflarePage>("Cloudflare", access, path);
    for (const { id, hostname, custom_origin_server: origin, ssl } of result ?? []) {
      const row = toRow("id", id, hostname);
      const notes = [originNote(origin), wildcardNote(row.hostname, ssl?.wildcard)];
      rows.push({ ...row, note: notes.filter((note) => note !== null).join("; ") || null });
    }
    if ((result ?? []).length === 0 || page >= Number(info?.total_pages ?? 0)) break;
  }
  return rows;
}

/** Which server it is, is said with another word than the URL that an origin has here. */
function originNote(origin: unknown): string | null {
  if (typeof origin !== "string" || origin === "") return null;
  return `without its own origin server ${origin}: set origin_url of the connection`;
}

/** Its certificate there covers every name one label below it, too. */
function wildcardNote(hostname: string, isWildcard: unknown): string | null {
  if (isWildcard !== true || hostname.startsWith("*.")) return null;
  return `without the names below it: import *.${hostname} for them`;
}

interface VercelPage {
  readonly domains?: readonly VercelDomain[];
  readonly pagination?: { readonly next?: unknown };
}

interface VercelDomain {
  readonly name?: unknown;
  readonly redirect?: unknown;
  readonly redirectStatusCode?: unknown;
}

/** The domains of a Vercel project with their redirects, without those that are Vercel's own. */
export async function readVercel(
  access: VendorAccess,
  project: string,
  team: string | null,
): Promise<readonly ImportRow[]> {
  const rows: ImportRow[] = [];
  let until: string | null = null;
  for (let page = 1; page <= maxPages; page += 1) {
    const query = new URLSearchParams({ limit: "100" });
    if (team !== null) query.set("teamId", team);
    if (until !== null) query.set("until", until);
    const path = `/v9/projects/${encodeURIComponent(project)}/domains?${query}`;
    const { domains, pagination } = await ask<VercelPage>("Vercel", access, path);
    for (const domain of domains ?? []) {
      const { name } = domain;
      if (String(name).endsWith(".vercel.app")) continue;
      rows.push({ ...toRow("domain", name, name), redirect: toRedirect(domain) });
    }
    if (typeof pagination?.next !== "number") break;
    until = String(pagination.next);
  }
  return rows;
}

function toRedirect({ redirect: to, redirectStatusCode: status }: VercelDomain) {
  if (typeof to !== "string" || to === "") return null;
  return { to, statusCode: typeof status === "number" ? status : null };
}

function toRow(what: string, id: unknown, hostname: unknown): ImportRow {
  const name = typeof hostname === "string" ? hostname : "";
  return {
    location: `${what} ${String(id)}`,
    hostname: name,
    customerRef: null,
    certificate: null,
    redirect: null,
    note: null,
    fault: null,
  };
}

async function ask<T>(vendor: string, { baseUrl, token }: VendorAccess, path: string): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CommandError(
      `${vendor} does not answer at ${baseUrl}: ${reasonText(error)}`,
      exitCode.unavailable,
      "unreachable",
    );
  });
  if (response.ok) return (await response.json()) as T;
  const hint = response.status === 401 || response.status === 403 ? ": is the token right?" : "";
  throw new CommandError(`${vendor} answers ${response.status}${hint}`);
}

function reasonText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
