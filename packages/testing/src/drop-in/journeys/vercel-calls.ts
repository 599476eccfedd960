import type { ZoneLine } from "../../clients/connecting.ts";
import {
  hostBelow,
  type Installation,
  type Shown,
  type VendorAnswer,
  type VendorCall,
} from "./product.ts";

const host = "https://api.vercel.com";
const team = "teamId=team_example";

/** The headers that the products send: with the type of JSON, or with the token alone. */
export function vercelHeaders({ token }: Installation, isJson = true) {
  const authorization = { Authorization: `Bearer ${token}` };
  return isJson ? { ...authorization, "Content-Type": "application/json" } : authorization;
}

/** The requests that the products on Vercel's API have in common, word for word. */
export function vercelCalls(installation: Installation) {
  const { project, send } = installation;
  const headers = vercelHeaders(installation);
  const request = (
    method: VendorCall["method"],
    path: string,
    more: Partial<VendorCall> = {},
  ): Promise<VendorAnswer> => send({ method, url: `${host}${path}`, headers, ...more });
  const item = (domain: string) => `/v9/projects/${project}/domains/${domain}`;
  return {
    request,
    add: (version: "v9" | "v10", body: object) =>
      request("POST", `/${version}/projects/${project}/domains?${team}`, {
        body: JSON.stringify(body),
      }),
    read: (domain: string) => request("GET", `${item(domain)}?${team}`),
    list: () => request("GET", `/v9/projects/${project}/domains?${team}`),
    /** With a type and without a body. */
    verify: (domain: string, more = "") => request("POST", `${item(domain)}/verify?${team}${more}`),
    config: (domain: string, more = "") =>
      request("GET", `/v6/domains/${domain}/config?${team}${more}`),
    records: (domain: string) => request("GET", `/v4/domains/${domain}/records?limit=10&${team}`),
    remove: (domain: string) =>
      request("DELETE", `${item(domain)}?${team}`, { headers: vercelHeaders(installation, false) }),
    removeEverywhere: (domain: string) =>
      request("DELETE", `/v6/domains/${domain}?${team}`, {
        headers: vercelHeaders(installation, false),
      }),
  };
}

export type VercelCalls = ReturnType<typeof vercelCalls>;

interface ReadDomain {
  readonly name: string;
  readonly apexName: string;
  readonly verification?: readonly {
    readonly type: string;
    readonly domain: string;
    readonly value: string;
  }[];
}

/** The record for visitors: pages name it without the domain, and ask for an address at its top. */
export function visitorRecord(
  { name, apexName }: ReadDomain,
  { cname, ipv4 }: Installation["fixed"],
): ZoneLine {
  return name === apexName
    ? { host: hostBelow(apexName, "@"), type: "A", value: ipv4 }
    : { host: hostBelow(apexName, below(name, apexName)), type: "CNAME", value: cname };
}

/** The first TXT record that is asked for; pages name it without the domain. */
export function textRecords({ apexName, verification = [] }: ReadDomain): readonly ZoneLine[] {
  const text = verification.find(({ type }) => type === "TXT");
  if (text === undefined) return [];
  return [
    { host: hostBelow(apexName, below(text.domain, apexName)), type: "TXT", value: text.value },
  ];
}

function below(name: string, apex: string): string {
  return name.slice(0, name.length - apex.length - 1);
}

/** The status of a domain that cannot be read; null for one that can. */
export function failure({ error }: { readonly error?: { readonly code: string } }): Shown | null {
  if (error === undefined) return null;
  const status = error.code === "not_found" ? "Domain Not Found" : "Unknown Error";
  return { status, records: [] };
}

/**
 * The job of Papermark and Dub: a name is connected when it is verified and not misconfigured, and
 * an answer that has neither field, as that of a rate limit, is one that is not.
 */
export async function readsAsConnected(
  calls: VercelCalls,
  domain: string,
  read: (domain: string) => Promise<VendorAnswer> = calls.read,
  config: (domain: string) => Promise<VendorAnswer> = calls.config,
): Promise<boolean> {
  const [{ body: found }, { body: configured }] = await Promise.all([read(domain), config(domain)]);
  if (found?.error?.code === "not_found") return false;
  if (!found.verified) return (await calls.verify(domain)).body?.verified === true;
  return !configured.misconfigured;
}
