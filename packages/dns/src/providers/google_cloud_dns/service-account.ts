import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { object, optional, text } from "../../decode.ts";
import { ProviderError } from "../../errors.ts";
import type { TokenRequest } from "../../oauth.ts";

const SCOPE = "https://www.googleapis.com/auth/ndev.clouddns.readwrite";
const LIFETIME_SECONDS = 3_600;

export interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
  readonly keyId: string;
  readonly tokenUrl: string;
  readonly projectId: string;
}

const file = object({
  type: text,
  client_email: text,
  private_key: text,
  private_key_id: optional(text, ""),
  token_uri: optional(text, "https://oauth2.googleapis.com/token"),
  project_id: optional(text, ""),
});

/** Reads the key file as it was pasted. Nothing of it enters a message. */
export function readServiceAccount(pasted: string): ServiceAccount {
  try {
    const given = file(JSON.parse(pasted), "");
    const url = new URL(given.token_uri);
    // The file names where its token comes from; it must not send us anywhere else.
    const isGoogle = url.protocol === "https:" && /(?:^|\.)googleapis\.com$/.test(url.hostname);
    if (given.type !== "service_account" || !isGoogle) throw new Error("not a service account");
    return {
      email: given.client_email,
      key: createPrivateKey(given.private_key),
      keyId: given.private_key_id,
      tokenUrl: url.href,
      projectId: given.project_id,
    };
  } catch {
    throw new ProviderError(
      "auth",
      "The service account key is not a complete JSON key file from Google.",
    );
  }
}

/** RFC 7523 §2.1: a signed statement in exchange for a token. */
export function assertion(account: ServiceAccount, at: Date): string {
  const issuedAt = Math.floor(at.getTime() / 1_000);
  const header = {
    alg: "RS256",
    typ: "JWT",
    ...(account.keyId === "" ? {} : { kid: account.keyId }),
  };
  const claims = {
    iss: account.email,
    scope: SCOPE,
    aud: account.tokenUrl,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const content = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("RSA-SHA256", Buffer.from(content), account.key).toString("base64url");
  return `${content}.${signature}`;
}

export function tokenRequest(account: ServiceAccount, at: Date): TokenRequest {
  return {
    url: account.tokenUrl,
    form: {
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: assertion(account, at),
    },
  };
}
