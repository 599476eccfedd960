import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** Who the scripted issuer says has signed in, and how it departs from the standard. */
export interface Identity {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface OidcFaults {
  readonly nonce?: string;
  readonly audience?: string;
  /** Signs with a key that it does not publish. */
  readonly isForged?: boolean;
}

export interface OidcIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The next person who comes is this one. */
  identity: Identity;
  faults: OidcFaults;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly identity: Identity;
}

/**
 * An OpenID Connect issuer on loopback: discovery, keys, an authorization endpoint at which the
 * person agrees at once, and a token endpoint that checks client, code and PKCE (RFC 7636) as a
 * real one does.
 */
export async function startOidcIssuer(): Promise<OidcIssuer> {
  const key = await generateKeyPair("RS256");
  const other = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(key.publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const grants = new Map<string, Grant>();
  const clientId = "mooring-console";
  const clientSecret = randomUUID();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: OidcIssuer = {
    url,
    clientId,
    clientSecret,
    identity: {},
    faults: {},
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const code = randomUUID();
    grants.set(code, {
      challenge: query.get("code_challenge") ?? "",
      nonce: query.get("nonce") ?? "",
      redirectUri: query.get("redirect_uri") ?? "",
      identity: issuer.identity,
    });
    const target = new URL(query.get("redirect_uri") ?? "");
    target.searchParams.set("code", code);
    target.searchParams.set("state", query.get("state") ?? "");
    target.searchParams.set("iss", url);
    response.writeHead(302, { location: target.href }).end();
  };

  const token = async (form: URLSearchParams, response: ServerResponse): Promise<void> => {
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const isProven =
      grant !== undefined &&
      createHash("sha256").update(verifier).digest("base64url") === grant.challenge &&
      form.get("redirect_uri") === grant.redirectUri &&
      form.get("client_id") === clientId &&
      form.get("client_secret") === clientSecret;
    if (!isProven) return json(response, { error: "invalid_grant" }, 400);
    const { faults } = issuer;
    const idToken = await new SignJWT({ ...grant.identity, nonce: faults.nonce ?? grant.nonce })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuer(url)
      .setAudience(faults.audience ?? clientId)
      .setSubject(grant.identity.email ?? "nobody")
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(faults.isForged ? other.privateKey : key.privateKey);
    json(response, { access_token: randomUUID(), token_type: "Bearer", id_token: idToken });
  };

  server.on("request", (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    if (pathname === "/authorize") return authorize(searchParams, response);
    if (pathname === "/jwks") return json(response, { keys: [jwk] });
    if (pathname === "/userinfo") {
      return json(response, { sub: issuer.identity.email ?? "nobody", ...issuer.identity });
    }
    if (pathname === "/token") {
      void readText(request).then((text) => token(new URLSearchParams(text), response));
      return;
    }
    json(response, makeMetadata(url));
  });
  return issuer;
}

function makeMetadata(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
