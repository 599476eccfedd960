import { parseHostname } from "@mooring/dns";
import { SignJWT } from "jose";
import { selectApplication } from "../../db/queries/applications.ts";
import { invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { widgetScopes } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import type { MintToken } from "./schemas.ts";
import { lifetimeSeconds, tokenAudience, tokenType } from "./verify.ts";

export interface MintedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** A token for one connect flow: dies with its hour, its minting key or its application. */
export async function mintToken(ctx: ServiceContext, input: MintToken): Promise<MintedToken> {
  const application = await ctx.read((tx) => selectApplication(tx, input.application_id));
  if (!application) throw notFound("application");
  const domain = input.domain === undefined ? {} : { domain: boundDomain(input.domain) };
  const issuedAt = Math.floor(ctx.now().getTime() / 1_000);
  const key = await ctx.runtime.tokenKeys.current();
  const token = await new SignJWT({
    tid: ctx.actor.tenantId,
    env: ctx.actor.environment,
    mk: ctx.actor.keyId,
    scope: widgetScopes.join(" "),
    ...domain,
  })
    .setProtectedHeader({ alg: "EdDSA", typ: tokenType, kid: key.id })
    .setIssuer(ctx.runtime.config.baseUrl)
    .setAudience(tokenAudience)
    .setSubject(application.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(newId(ctx.now()))
    .sign(key.privateKey);
  return { token, expiresAt: new Date((issuedAt + lifetimeSeconds) * 1_000) };
}

function boundDomain(text: string): string {
  const parsed = parseHostname(text);
  if (!parsed.ok) throw invalid([{ path: "domain", message: parsed.message }]);
  return parsed.hostname;
}
