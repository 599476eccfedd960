import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { createAuthority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../edge/src/x509/keys.ts";
import { createGuard } from "../../../egress/src/index.ts";
import { freePort } from "../processes/free-port.ts";
import {
  type CaOptions,
  createCa,
  problem,
  type Reply,
  readSigned,
  type Signed,
} from "./scripted-acme-ca.ts";

export type Resource =
  | "directory"
  | "nonce"
  | "account"
  | "order"
  | "finalize"
  | "authz"
  | "challenge"
  | "certificate"
  | "revoke"
  | "key-change"
  | "ari";

export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly resource: Resource;
  /** A POST to the collection: `newAccount` and `newOrder`. */
  readonly isNew: boolean;
  /** Null for a GET, a HEAD and a POST-as-GET. */
  readonly payload: Readonly<Record<string, unknown>> | null;
}

/**
 * What happens instead of the usual reply. `hang` never replies, `reset` closes the connection
 * before the request is processed, `lose` processes it and closes the connection before the reply.
 */
export type Intervention = Reply | "hang" | "reset" | "lose" | null;

/** A request that gets no reply: it hangs, or its connection is closed. */
type Silence = "hang" | "cut";

export interface ScriptedAcme {
  readonly directoryUrl: string;
  /** The CA certificate of its HTTPS listener. */
  readonly caPem: string;
  /** The root of the certificates that it issues. */
  readonly rootPem: string;
  /** Reaches loopback only and trusts `caPem`. */
  readonly fetch: typeof globalThis.fetch;
  /** Calls the CA without a connection, for runs with thousands of orders. */
  readonly directFetch: typeof globalThis.fetch;
  /** Every request that arrived, in order. */
  readonly seen: ScriptedRequest[];
  readonly count: (resource: Resource, isNew?: boolean) => number;
  /** Called before each request; null processes it normally. */
  intervene: (request: ScriptedRequest) => Intervention;
  /** Deletes all accounts, like a CA that lost its data. */
  forgetAccounts(): void;
  stop(): Promise<void>;
}

const dayMs = 86_400_000;

/**
 * An ACME server for what a real one does not do on demand: ARI, profiles, rate limits, lost
 * replies, malformed replies. It checks each signature, nonce and URL like a real one. Validation
 * is the `verdict` of its options, without a connection to the name.
 */
export async function startScriptedAcme(options: CaOptions = {}): Promise<ScriptedAcme> {
  const port = await freePort();
  const base = `https://127.0.0.1:${port}`;
  const now = (options.clock?.now() ?? new Date()).getTime();
  const longLived = { notBefore: new Date(now - dayMs), notAfter: new Date(now + 3_650 * dayMs) };
  const authority = await createAuthority({ commonName: "Scripted CA", ...longLived });
  const ca = createCa(base, authority, options);
  const listener = await listenerCertificate();
  const seen: ScriptedRequest[] = [];

  const server = createServer({ cert: listener.cert, key: listener.key }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : "unknown";
      write(response, problem(400, "malformed", detail), ca.newNonce());
    });
  });

  /** The reply, or what happens instead of one. */
  const handle = async (method: string, path: string, body: string): Promise<Reply | Silence> => {
    const signed = method === "POST" ? readSigned(body) : null;
    const request = { method, path, ...parseResource(path), payload: signed?.payload ?? null };
    seen.push(request);
    const intervention = scripted.intervene(request);
    if (intervention === "hang") return "hang";
    const cut = intervention === "reset" || intervention === "lose";
    if (intervention !== null && !cut) return intervention;
    const reply = intervention === "reset" ? null : await replyTo(ca, base, request, signed);
    return cut || reply === null ? "cut" : reply;
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "" } = incoming;
    const reply = await handle(method, path, await text(incoming));
    if (reply === "hang") return;
    if (reply === "cut") response.destroy();
    else write(response, reply, ca.newNonce());
  };

  const directFetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const reply = await handle(init?.method ?? "GET", pathname, String(init?.body ?? ""));
    if (reply === "hang" || reply === "cut") throw new TypeError("the connection was cut");
    const { head, body } = written(reply, ca.newNonce());
    return new Response(init?.method === "HEAD" ? null : body, { ...head });
  };

  const scripted: ScriptedAcme = {
    directoryUrl: `${base}/directory`,
    caPem: listener.caPem,
    rootPem: authority.certificatePem,
    directFetch,
    fetch: createGuard({ allow: ["127.0.0.0/8"], tls: { ca: listener.caPem } }).fetch,
    seen,
    count: (resource, isNew = false) =>
      seen.filter((each) => each.resource === resource && each.isNew === isNew).length,
    intervene: () => null,
    forgetAccounts: () => ca.accounts.clear(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return scripted;
}

const resources: readonly Resource[] = [
  "directory",
  "nonce",
  "account",
  "order",
  "authz",
  "challenge",
  "certificate",
  "revoke",
  "key-change",
  "ari",
];

function parseResource(path: string): Pick<ScriptedRequest, "resource" | "isNew"> {
  const [, first, id] = path.split("/");
  if (path.endsWith("/finalize")) return { resource: "finalize", isNew: false };
  const resource = resources.find((each) => each === first);
  if (resource === undefined) throw new Error(`no resource at ${path}`);
  return { resource, isNew: id === undefined && (first === "account" || first === "order") };
}

type Ca = ReturnType<typeof createCa>;

async function replyTo(
  ca: Ca,
  base: string,
  request: ScriptedRequest,
  signed: Signed | null,
): Promise<Reply> {
  const { resource, path } = request;
  if (resource === "directory") return { status: 200, body: ca.directory() };
  if (resource === "nonce") return { status: 200 };
  if (resource === "ari") return ca.ari(path.slice("/ari/".length));
  if (signed === null) return problem(405, "malformed", "a POST is needed");
  const refused = checkSigned(ca, signed, base + path);
  if (refused !== null) return refused;
  if (resource === "revoke") return ca.revoke(signed);
  if (signed.kid !== null) return replyToAccount(ca, request, signed.kid);
  return signed.jwk !== null && resource === "account"
    ? ca.openAccount(signed.jwk, request.payload ?? {})
    : problem(400, "malformed", "a kid is needed");
}

function checkSigned(ca: Ca, signed: Signed, url: string): Reply | null {
  if (signed.nonce === null || !ca.nonces.delete(signed.nonce)) return problem(400, "badNonce");
  const key = signed.jwk ?? ca.accounts.get(signed.kid ?? "");
  if (key === undefined) return problem(400, "accountDoesNotExist");
  if (signed.url !== url) return problem(403, "unauthorized", "signed for another URL");
  return signed.isSignedBy(key) ? null : problem(403, "unauthorized", "the signature is wrong");
}

async function replyToAccount(ca: Ca, request: ScriptedRequest, account: string): Promise<Reply> {
  const { resource, isNew, payload } = request;
  if (resource === "key-change") return ca.changeKey(account, payload ?? {});
  if (resource === "order" && isNew) return ca.newOrder(account, payload ?? {});
  const [, , id = "", type = ""] = request.path.split("/");
  const index = Number(id);
  const order = ca.orders[index];
  if (order?.account !== account) return problem(404, "malformed", "not found");
  if (resource === "order") return ca.orderReply(order, index);
  if (resource === "finalize") return ca.finalize(order, index, String(payload?.["csr"]));
  if (resource === "challenge") return ca.answerChallenge(order, index, type, payload !== null);
  if (resource === "authz") return ca.authorization(order, index);
  const headers = { "content-type": "application/pem-certificate-chain" };
  return { status: 200, headers, body: order.chain ?? "" };
}

function write(response: ServerResponse, reply: Reply, nonce: string): void {
  const { head, body } = written(reply, nonce);
  response.writeHead(head.status, head.headers);
  response.end(body);
}

function written(reply: Reply, nonce: string) {
  const isText = typeof reply.body === "string";
  const type = reply.status >= 400 ? "application/problem+json" : "application/json";
  const headers = {
    "replay-nonce": nonce,
    "content-type": isText ? "text/plain" : type,
    ...reply.headers,
  };
  const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {});
  return { head: { status: reply.status, headers }, body };
}

async function listenerCertificate(): Promise<{
  readonly caPem: string;
  readonly cert: string;
  readonly key: string;
}> {
  const now = Date.now();
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + 30 * dayMs) };
  const authority = await createAuthority({ commonName: "Scripted listener", ...validity });
  const key = await generateKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const cert = await issueLeaf(authority, { addresses: ["127.0.0.1"], publicKey, ...validity });
  return { caPem: authority.certificatePem, cert, key: keyToPem(key) };
}
