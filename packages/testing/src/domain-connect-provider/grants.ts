import { randomBytes } from "node:crypto";
import type { ProviderClient, ProviderOptions } from "./options.ts";

/** What a customer has allowed a client to do. */
export interface Allowed {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly domain: string;
  readonly hosts: readonly string[];
  readonly serviceIds: readonly string[];
}

interface Code {
  readonly allowed: Allowed;
  readonly until: number;
  /** Tokens issued for it; a second use of the code revokes them (RFC 6749 §4.1.2). */
  readonly tokens: string[];
  isUsed: boolean;
}

const codeLifeMs = 600_000;
const tokenLifeSeconds = 3_600;

export type Granted =
  | {
      readonly ok: true;
      readonly accessToken: string;
      readonly refreshToken: string;
      readonly expiresIn: number;
    }
  | { readonly ok: false; readonly status: number; readonly error: string };

/** Codes, access tokens and refresh tokens of one provider (RFC 6749 §4.1, §6). */
export interface Grants {
  newCode(allowed: Allowed): string;
  /** Takes the parameters of a token request. */
  exchange(parameters: ReadonlyMap<string, string>): Granted;
  /** What the token allows; null when it has expired or was never issued. */
  allowedBy(accessToken: string): Allowed | null;
}

export function createGrants(options: Pick<ProviderOptions, "clients" | "now">): Grants {
  const codes = new Map<string, Code>();
  const access = new Map<string, { readonly allowed: Allowed; readonly until: number }>();
  const refresh = new Map<string, Allowed>();
  const now = (): number => (options.now?.() ?? new Date()).getTime();
  const secret = (): string => randomBytes(24).toString("base64url");

  const issue = (allowed: Allowed): Extract<Granted, { ok: true }> => {
    const [accessToken, refreshToken] = [secret(), secret()];
    access.set(accessToken, { allowed, until: now() + tokenLifeSeconds * 1_000 });
    refresh.set(refreshToken, allowed);
    return { ok: true, accessToken, refreshToken, expiresIn: tokenLifeSeconds };
  };

  const byCode = (client: ProviderClient, parameters: ReadonlyMap<string, string>): Granted => {
    const code = codes.get(parameters.get("code") ?? "");
    if (code === undefined || code.until <= now()) return refused("invalid_grant");
    const { allowed, tokens } = code;
    const isRight =
      allowed.clientId === client.clientId &&
      allowed.redirectUri === parameters.get("redirect_uri");
    if (code.isUsed || !isRight) {
      for (const token of tokens) {
        access.delete(token);
        refresh.delete(token);
      }
      return refused("invalid_grant");
    }
    code.isUsed = true;
    const granted = issue(allowed);
    tokens.push(granted.accessToken, granted.refreshToken);
    return granted;
  };

  const byRefresh = (client: ProviderClient, parameters: ReadonlyMap<string, string>): Granted => {
    const token = parameters.get("refresh_token") ?? "";
    const allowed = refresh.get(token);
    if (allowed === undefined || allowed.clientId !== client.clientId) {
      return refused("invalid_grant");
    }
    refresh.delete(token);
    return issue(allowed);
  };

  return {
    newCode(allowed) {
      const code = secret();
      codes.set(code, { allowed, until: now() + codeLifeMs, tokens: [], isUsed: false });
      return code;
    },
    exchange(parameters) {
      const client = options.clients?.find(
        ({ clientId }) => clientId === parameters.get("client_id"),
      );
      if (client === undefined || client.clientSecret !== parameters.get("client_secret")) {
        return { ok: false, status: 401, error: "invalid_client" };
      }
      switch (parameters.get("grant_type")) {
        case "authorization_code":
          return byCode(client, parameters);
        case "refresh_token":
          return byRefresh(client, parameters);
        default:
          return refused("unsupported_grant_type");
      }
    },
    allowedBy(accessToken) {
      const found = access.get(accessToken);
      return found === undefined || found.until <= now() ? null : found.allowed;
    },
  };
}

function refused(error: string): Granted {
  return { ok: false, status: 400, error };
}
