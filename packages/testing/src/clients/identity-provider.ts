import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * A scripted OAuth server that checks what a strict one would: client, redirect, PKCE, one use of a
 * code.
 */
export interface IdentityProvider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the service under test really listens; its redirect URL names its public address. */
  serviceUrl: string;
  readonly revoked: readonly string[];
  /** Codes that were exchanged. */
  readonly exchanged: readonly string[];
  /** Refresh tokens that were used; each works once. */
  readonly refreshed: readonly string[];
  /** The customer took the permission back. */
  refusesRefresh: boolean;
  readonly close: () => Promise<void>;
}

interface Pending {
  readonly challenge: string;
  readonly isOffline: boolean;
  readonly redirectUri: string;
}

export async function startIdentityProvider(accessToken: string): Promise<IdentityProvider> {
  const codes = new Map<string, Pending>();
  const [revoked, exchanged, refreshed]: [string[], string[], string[]] = [[], [], []];
  const refreshTokens = new Set<string>();
  const [clientId, clientSecret] = ["client one", "secret:of one"];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", provider.url);
    if (url.pathname === "/authorize") return authorize(url.searchParams, response);
    if (!isClient(request.headers.authorization))
      return json(response, 401, { error: "invalid_client" });
    const form = new URLSearchParams(await text(request));
    if (url.pathname === "/revoke") {
      revoked.push(form.get("token") ?? "");
      return json(response, 200, {});
    }
    if (form.get("grant_type") === "refresh_token") return refresh(form, response);
    return exchange(form, response);
  };
  const isClient = (header = "") => {
    const pair = Buffer.from(header.replace("Basic ", ""), "base64").toString("utf8");
    return pair === [clientId, clientSecret].map((one) => encodeURIComponent(one)).join(":");
  };
  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const isValid =
      query.get("client_id") === clientId &&
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      /^dns( offline_access)?$/.test(query.get("scope") ?? "");
    if (!isValid) return json(response, 400, { error: "invalid_request" });
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(new URL(redirectUri).pathname, provider.serviceUrl);
    back.searchParams.set("state", query.get("state") ?? "");
    const code = randomUUID();
    const isOffline = (query.get("scope") ?? "").includes("offline_access");
    codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri, isOffline });
    const link = (name: string, extra: Readonly<Record<string, string>>) =>
      `<a href="${new URL(`?${new URLSearchParams([...back.searchParams, ...Object.entries(extra)])}`, back).href.replaceAll("&", "&amp;")}">${name}</a>`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><title>Sign in</title>${link("Allow", { code })} ${link("Deny", { error: "access_denied" })}`,
    );
  };
  const exchange = (form: URLSearchParams, response: ServerResponse) => {
    const code = form.get("code") ?? "";
    const pending = codes.get(code);
    codes.delete(code);
    const hash = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isValid =
      form.get("grant_type") === "authorization_code" &&
      pending?.challenge === hash &&
      pending.redirectUri === form.get("redirect_uri");
    if (!isValid) return json(response, 400, { error: "invalid_grant" });
    exchanged.push(code);
    return issue(response, pending.isOffline);
  };
  const refresh = (form: URLSearchParams, response: ServerResponse) => {
    const token = form.get("refresh_token") ?? "";
    if (!refreshTokens.delete(token) || provider.refusesRefresh) {
      return json(response, 400, { error: "invalid_grant" });
    }
    refreshed.push(token);
    return issue(response, true);
  };
  const issue = (response: ServerResponse, isOffline: boolean) => {
    const refreshToken = randomUUID();
    if (isOffline) refreshTokens.add(refreshToken);
    const more = isOffline ? { refresh_token: refreshToken } : {};
    const token = { access_token: accessToken, token_type: "bearer", expires_in: 600 };
    return json(response, 200, { ...token, ...more });
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const provider: IdentityProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    serviceUrl: "",
    revoked,
    exchanged,
    refreshed,
    refusesRefresh: false,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
