import { parseHostname } from "@mooring/dns";
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { selectNewestKey } from "../../db/queries/applications/api-keys.ts";
import { selectApplication } from "../../db/queries/applications/applications.ts";
import { AppError, invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { environments, widgetScopes } from "../../domain/tenancy.ts";
import { audit, type ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { CustomerRef } from "./customer.ts";

const tokenType = "widget+jwt";
const tokenAudience = "widget";
export const lifetimeSeconds = 3_600;
/** For clocks that differ. The reference tells it. */
export const leewaySeconds = 30;

export const MintToken = z.strictObject({
  application_id: z.uuid().describe("The application whose widget the token opens"),
  customer_ref: CustomerRef.optional().describe(
    "Your own id of the signed-in customer: the token reaches that customer's connections and no others",
  ),
  domain: z.string().min(1).max(1_000).optional().describe("Binds the token to this one hostname"),
});
export type MintToken = z.infer<typeof MintToken>;

export interface MintedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * A token for one connect flow. It ends after an hour, or with its minting key or application. The
 * console's preview of the widget gets one in the test environment, for this service's own pages.
 */
export async function mintToken(ctx: ServiceContext, input: MintToken): Promise<MintedToken> {
  const { actor } = ctx;
  const isPreview = actor.kind === "session";
  const { application, mintingKey } = await ctx.read(async (tx) => ({
    application: await selectApplication(tx, input.application_id),
    mintingKey: actor.kind === "key" ? actor.keyId : await selectNewestKey(tx, actor),
  }));
  if (!application) throw notFound("application");
  if (mintingKey === null) {
    throw new AppError(
      "conflict",
      "a token ends with an API key, and there is none in this environment",
    );
  }
  const domain = input.domain === undefined ? {} : { domain: boundDomain(input.domain) };
  const issuedAt = Math.floor(ctx.now().getTime() / 1_000);
  const tokenId = newId(ctx.now());
  const key = await ctx.runtime.tokenKeys.current();
  const token = await new SignJWT({
    tid: actor.tenantId,
    env: actor.environment,
    mk: mintingKey,
    scope: widgetScopes.join(" "),
    ...domain,
    ...(input.customer_ref === undefined ? {} : { cus: input.customer_ref }),
    ...(isPreview ? { pv: true } : {}),
  })
    .setProtectedHeader({ alg: "EdDSA", typ: tokenType, kid: key.id })
    .setIssuer(ctx.runtime.config.baseUrl)
    .setAudience(tokenAudience)
    .setSubject(application.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(tokenId)
    .sign(key.privateKey);
  await ctx.write((tx) =>
    audit(ctx, tx, "token.mint", tokenId, {
      application_id: application.id,
      customer_ref: input.customer_ref ?? null,
      ...domain,
    }),
  );
  return { token, expiresAt: new Date((issuedAt + lifetimeSeconds) * 1_000) };
}

function boundDomain(text: string): string {
  const parsed = parseHostname(text, { allowsWildcard: true });
  if (!parsed.ok) throw invalid([{ path: "domain", message: parsed.message }]);
  return parsed.hostname;
}

const Claims = z.object({
  sub: z.uuid(),
  tid: z.uuid(),
  env: z.enum(environments),
  mk: z.uuid(),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
  domain: z.string().optional(),
  cus: CustomerRef.optional(),
  pv: z.literal(true).optional(),
});

export interface WidgetClaims {
  readonly applicationId: string;
  readonly tenantId: string;
  readonly environment: "test" | "live";
  readonly mintingKey: string;
  readonly tokenId: string;
  readonly domain: string | null;
  readonly customerRef: string | null;
  /** Minted in the console: for this service's own pages alone. */
  readonly isPreview: boolean;
}

/**
 * The claims of a token that one of our keys signed, with our algorithm, type, audience and issuer,
 * within its hour; null for everything else. A header parameter that we do not write, such as key
 * material or `crit`, makes the token invalid instead of being ignored (RFC 8725 §3).
 */
export async function verifyWidgetToken(
  runtime: Runtime,
  token: string,
): Promise<WidgetClaims | null> {
  const keyId = isCanonical(token) ? headerKeyId(token) : null;
  const key = keyId === null ? null : await runtime.tokenKeys.publicKey(keyId);
  if (!key) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["EdDSA"],
      typ: tokenType,
      audience: tokenAudience,
      issuer: runtime.config.baseUrl,
      clockTolerance: leewaySeconds,
      currentDate: runtime.clock.now(),
      requiredClaims: ["sub", "iat", "exp", "jti"],
    });
    const claims = Claims.safeParse(payload);
    if (!claims.success) return null;
    const { sub, tid, env, mk, jti, domain, cus, pv, iat, exp } = claims.data;
    const now = runtime.clock.now().getTime() / 1_000;
    if (iat > now + leewaySeconds || exp - iat > lifetimeSeconds) return null;
    return {
      applicationId: sub,
      tenantId: tid,
      environment: env,
      mintingKey: mk,
      tokenId: jti,
      domain: domain ?? null,
      customerRef: cus ?? null,
      isPreview: pv === true,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * A decoder ignores padding, blanks and unused bits (RFC 4648 §3.5): one token would have many
 * spellings.
 */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  const isPlain = (part: string) => Buffer.from(part, "base64url").toString("base64url") === part;
  return parts.length === 3 && parts.every(isPlain);
}

function headerKeyId(token: string): string | null {
  try {
    const header = decodeProtectedHeader(token);
    const names = Object.keys(header).sort().join();
    return names === "alg,kid,typ" && typeof header.kid === "string" ? header.kid : null;
  } catch {
    return null; // not a JWT
  }
}
