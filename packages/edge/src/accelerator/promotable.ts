import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Application } from "../hosts/application.ts";
import type { Host } from "../hosts/host.ts";
import type { OriginTarget } from "../proxy/origin/target.ts";
import { areRulesExpressible } from "./response-fields.ts";

/** What is known of a name when it is considered. */
export interface Candidate {
  readonly host: Host;
  readonly application: Application;
}

interface Obstacle {
  readonly id: string;
  /** For the documents. */
  readonly what: string;
  readonly why: string;
  applies(candidate: Candidate): boolean;
}

/** What HAProxy would not serve exactly as the Node edge does: such a name is not promoted. */
export const obstacles: readonly Obstacle[] = [
  {
    id: "wildcard",
    what: "A name that is served by a wildcard's claim",
    why: "claim and certificate are those of another name",
    applies: ({ host }) => host.coveredBy !== undefined || host.hostname.startsWith("*."),
  },
  {
    id: "redirect",
    what: "`redirect_to`",
    why: "nothing is forwarded",
    applies: ({ host }) => (host.own?.redirectTo ?? null) !== null,
  },
  {
    id: "suspended",
    what: "A suspended tenant",
    why: "the answer is the edge's own page",
    applies: ({ application }) => application.isSuspended,
  },
  {
    id: "no_origin",
    what: "An application without an origin",
    why: "the answer is the edge's own page",
    applies: ({ application }) => application.origins.length === 0,
  },
  {
    id: "several_origins",
    what: "Several origins",
    why: "weights, retries at another origin and health checks are the Node edge's",
    applies: ({ application }) => application.origins.length > 1,
  },
  {
    id: "h2c",
    what: "An `h2c://` origin",
    why: "HAProxy speaks HTTP/1.1 to origins here",
    applies: ({ application }) => application.origins.some(({ url }) => /^h2c:/i.test(url)),
  },
  {
    id: "origin_path",
    what: "A path in `origin_url`",
    why: "it is a boundary, which needs the dot segments of a request resolved",
    applies: ({ application }) => application.origins.some(({ url }) => hasPath(url)),
  },
  {
    id: "origin_host_header",
    what: '`origin_host_header: "origin"`',
    why: "links and cookies of the answers are translated",
    applies: ({ application }) => application.originHostHeader === "origin",
  },
  {
    id: "client_certificate",
    what: "`origin_tls` with a client certificate",
    why: "its key would leave the Node edge",
    applies: ({ application }) => application.originTls.clientCertificate !== null,
  },
  {
    id: "origin_ca",
    what: "`origin_tls.ca` of more than 24 KB",
    why: "it does not fit into one command to HAProxy",
    applies: ({ application }) => (application.originTls.ca?.length ?? 0) > 24_576,
  },
  {
    id: "origin_address",
    what: "An https origin whose certificate is verified by an address",
    why: "HAProxy verifies names only",
    applies: ({ application }) => isVerifiedByAddress(application),
  },
  {
    id: "rules",
    what: "`allow`, `deny`, `maintenance`, `rate_limit`, `basic_auth`",
    why: "the Node edge decides them, and counts over all processes",
    applies: ({ application }) => application.edge.rules !== null,
  },
  {
    id: "error_page",
    what: "`error_page`",
    why: "HAProxy has the usual page only",
    applies: ({ application }) => application.edge.errorPage !== null,
  },
  {
    id: "response_fields",
    what: "`response_headers` of more than 2 KB",
    why: "HAProxy's buffer might have no room for them",
    applies: ({ application }) => !areRulesExpressible(application.edge.headerRules),
  },
  {
    id: "compress",
    what: "`compress`",
    why: "HAProxy has neither Brotli nor Zstandard",
    applies: ({ application }) => application.edge.isCompressed,
  },
  {
    id: "timeouts",
    what: "`first_byte_timeout_s`, `idle_timeout_s`",
    why: "HAProxy has one time limit for all names",
    applies: ({ application: { edge } }) => edge.firstByteMs !== null || edge.idleMs !== null,
  },
  {
    id: "unusual_text",
    what: "An id or name with unusual characters",
    why: "it could not be written into a command",
    applies: ({ host, application }) =>
      !plainId.test(host.connectionId) ||
      ![host.hostname, ...namesOf(application)].every((text) => plainText.test(text)),
  },
];

/** Without the dot that ends it in a claim. */
const plainId = /^[A-Za-z0-9-]{1,253}$/;
const plainText = /^[A-Za-z0-9.-]{1,253}$/;

/** Why the name stays with the Node edge; null where HAProxy serves it exactly as that does. */
export function findObstacle(candidate: Candidate): string | null {
  return obstacles.find((one) => one.applies(candidate))?.id ?? null;
}

/** A certificate whose OCSP response is stapled: HAProxy would serve it without. */
export function needsStaple(chain: string): boolean {
  return new X509Certificate(chain).infoAccess?.includes("OCSP") === true;
}

/** The names for TLS to the origin: of the handshake, and that its certificate must have. */
export function originNames(application: Application, { host }: Pick<OriginTarget, "host">) {
  const { serverName, verifyName } = application.originTls;
  return { serverName: serverName ?? host, verifyName: verifyName ?? serverName ?? host };
}

function namesOf({ originTls: { serverName, verifyName } }: Application): readonly string[] {
  return [serverName, verifyName].filter((name) => name !== null);
}

function parseOrigin(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

function hasPath(url: string): boolean {
  const path = parseOrigin(url)?.pathname ?? "/";
  return path !== "/" && path !== "";
}

function isVerifiedByAddress(application: Application): boolean {
  const url = parseOrigin(application.originUrl ?? "");
  if (url?.protocol !== "https:") return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const { serverName, verifyName } = originNames(application, { host });
  return isIP(serverName) !== 0 || isIP(verifyName) !== 0;
}
