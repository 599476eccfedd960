import { createPublicKey } from "node:crypto";
import { type Authority, createAuthority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { generateKey } from "../../../edge/src/x509/keys.ts";
import type { CertificateRequest } from "../edge/read-csr.ts";
import type { Intervention, ScriptedRequest } from "./scripted-acme.ts";
import { problem } from "./scripted-acme-ca.ts";

/** What a CA does wrong, and what the edge must make of it. */
export interface CaFault {
  readonly name: string;
  /** Instead of the usual replies. */
  readonly intervene?: (request: ScriptedRequest) => Intervention;
  /** Requests stay without an answer. */
  readonly isSilent?: boolean;
  /** Instead of the right chain, at that time. */
  readonly forge?: (request: CertificateRequest, now: Date) => Promise<string>;
  readonly outcome: FaultOutcome;
}

export interface FaultOutcome {
  readonly code: "ca_unavailable" | "ca_rate_limited" | "certificate_failed";
  /** Whether the name has failed; otherwise it waits for the CA, and another CA is used at once. */
  readonly isFailure: boolean;
  /** The next attempt, in seconds from now. */
  readonly retry: readonly [least: number, most: number];
  /** Orders that the CA has accepted. */
  readonly spent: 0 | 1;
}

const unavailable: FaultOutcome = {
  code: "ca_unavailable",
  isFailure: false,
  retry: [10, 70],
  spent: 0,
};
const limited = (retry: FaultOutcome["retry"]): FaultOutcome => ({
  code: "ca_rate_limited",
  isFailure: false,
  spent: 0,
  retry,
});
/** The CA has issued something: its limit counts it, and the name is tried again after a minute. */
const failed: FaultOutcome = {
  code: "certificate_failed",
  isFailure: true,
  retry: [50, 70],
  spent: 1,
};

const isNewOrder = ({ resource, isNew }: ScriptedRequest) => resource === "order" && isNew;

function onNewOrder(what: Intervention): NonNullable<CaFault["intervene"]> {
  return (request) => (isNewOrder(request) ? what : null);
}

function on(
  resource: ScriptedRequest["resource"],
  what: Intervention,
): NonNullable<CaFault["intervene"]> {
  return (request) => (request.resource === resource ? what : null);
}

const html = "<html><body>Sorry, we are down for maintenance.</body></html>";
const page = { status: 200, headers: { "content-type": "text/html" }, body: html };

/** Slow, or wrong, in each resource that an order needs. */
const wrongAnswers: readonly CaFault[] = (
  [
    ["no answer to the directory", on("directory", "reset")],
    ["a page as the directory", on("directory", page)],
    ["a directory that leads in circles", on("directory", redirect("/directory"))],
    ["no answer to a nonce", on("nonce", "reset")],
    ["rejected nonces, each of them", onNewOrder(problem(400, "badNonce"))],
    ["no answer to an order", onNewOrder("hang")],
    ["an order that is a page", onNewOrder(page)],
    ["an order that is no JSON", onNewOrder({ status: 201, body: '{"status":' })],
    ["an order that is a list", onNewOrder({ status: 201, body: [] })],
    ["an order of 600 KB", onNewOrder({ status: 201, body: "x".repeat(600_000) })],
    ["a redirect of an order", onNewOrder(redirect("/order"))],
    ["a refusal by something in front of the CA", onNewOrder({ status: 403, body: html })],
    ["an order that does not exist", onNewOrder({ status: 404, body: "not found" })],
    ["an error of the CA", onNewOrder(problem(500, "serverInternal"))],
    ["a deactivated account", onNewOrder(problem(401, "unauthorized", "account is deactivated"))],
    ["a revoked account", on("account", problem(403, "unauthorized", "account is revoked"))],
    ["terms that changed", onNewOrder(problem(403, "userActionRequired"))],
    ["an unknown profile", onNewOrder(problem(400, "invalidProfile"))],
  ] as const
).map(([name, intervene]) => ({
  name,
  intervene,
  isSilent: name.startsWith("no answer"),
  outcome: unavailable,
}));

function redirect(location: string): Intervention {
  return { status: 307, headers: { location }, body: "" };
}

const limit = (detail: string, headers: Readonly<Record<string, string>> = {}) =>
  onNewOrder({ ...problem(429, "rateLimited", detail), headers });

const rateLimits: readonly CaFault[] = [
  {
    name: "a rate limit of the account, with its end",
    intervene: limit("too many new orders (300) from this account", { "retry-after": "7200" }),
    outcome: limited([7_190, 7_210]),
  },
  {
    name: "a rate limit without an end",
    intervene: limit("too many new orders"),
    outcome: limited([290, 310]),
  },
  {
    name: "a rate limit that ends in ten years",
    intervene: limit("too many new orders", { "retry-after": "315360000" }),
    outcome: limited([86_390, 86_410]),
  },
  {
    name: "a rate limit of the name",
    intervene: limit("too many failed authorizations (5) for the name", { "retry-after": "3600" }),
    outcome: limited([3_590, 3_610]),
  },
  {
    name: "a rate limit of a status without a problem",
    intervene: onNewOrder({ status: 429, headers: { "retry-after": "60" }, body: html }),
    outcome: limited([55, 65]),
  },
];

const laterAnswers: readonly CaFault[] = [
  {
    name: "an authorization that cannot be read",
    intervene: on("authz", page),
    outcome: { ...unavailable, spent: 1 },
  },
  {
    name: "an order that cannot be read once it is final",
    intervene: on("finalize", { status: 403, body: html }),
    outcome: { ...unavailable, spent: 1 },
  },
  {
    name: "a certificate that is a page",
    intervene: on("certificate", page),
    outcome: failed,
  },
  {
    name: "an empty certificate",
    intervene: on("certificate", { status: 200, body: "" }),
    outcome: failed,
  },
];

const day = 86_400_000;

async function someAuthority(now: Date): Promise<Authority> {
  const validity = {
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + day),
  };
  return createAuthority({ commonName: "Scripted CA", ...validity });
}

function forging(
  change: (
    request: CertificateRequest,
    now: number,
  ) => Promise<Partial<Parameters<typeof issueLeaf>[1]>>,
  chain: (leaf: string, authority: Authority) => string = (leaf, { certificatePem }) =>
    leaf + certificatePem,
): NonNullable<CaFault["forge"]> {
  return async ({ hostnames, publicKey }, at) => {
    const now = at.getTime();
    const authority = await someAuthority(at);
    const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 60 * day) };
    const changed = await change({ subject: "", hostnames, publicKey }, now);
    const leaf = await issueLeaf(authority, { hostnames, publicKey, ...validity, ...changed });
    return chain(leaf, authority);
  };
}

async function otherKey() {
  const key = createPublicKey(await generateKey());
  return { publicKey: key.export({ type: "spki", format: "der" }) };
}

const other = await someAuthority(new Date());

const brokenChains: readonly CaFault[] = (
  [
    ["a certificate for another key", forging(otherKey)],
    ["a certificate for another name", forging(async () => ({ hostnames: ["evil.example"] }))],
    [
      "an expired certificate",
      forging(async (_, now) => ({
        notBefore: new Date(now - 9 * day),
        notAfter: new Date(now - day),
      })),
    ],
    [
      "a certificate of next week",
      forging(async (_, now) => ({ notBefore: new Date(now + 7 * day) })),
    ],
    [
      "a chain without its intermediate",
      forging(
        async () => ({}),
        (leaf) => leaf,
      ),
    ],
    [
      "a chain of another issuer",
      forging(
        async () => ({}),
        (leaf) => leaf + other.certificatePem,
      ),
    ],
  ] as const
).map(([name, forge]) => ({ name, forge, outcome: failed }));

/** The faults of a CA that a real one does not have on demand. */
export const caFaults: readonly CaFault[] = [
  ...wrongAnswers,
  ...rateLimits,
  ...laterAnswers,
  ...brokenChains,
];
