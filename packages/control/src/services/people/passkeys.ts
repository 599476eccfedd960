import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { z } from "zod";
import { selectMember } from "../../db/queries/people/members.ts";
import {
  deletePasskey,
  insertPasskey,
  lockPasskey,
  notePasskeyUse,
  type Passkey,
  selectPasskeys,
} from "../../db/queries/people/passkeys.ts";
import { insertAttempt, takeAttempt } from "../../db/queries/people/sign-in-attempts.ts";
import { AppError, invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { hashOwnSecret, hashSecret, newSecret } from "../../domain/people/session.ts";
import type { SessionMember } from "../../domain/tenancy.ts";
import { auditTenant, type ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { openAttempt, sealAttempt, useAttempt } from "./sealed-attempt.ts";
import { requireSession } from "./session.ts";
import { type Browser, type OpenedSession, openSession } from "./sign-in.ts";

export type { Passkey } from "../../db/queries/people/passkeys.ts";

const attemptMs = 300_000;
const maxPasskeys = 20;

const Response = z
  .looseObject({ id: z.string().max(2_000), rawId: z.string().max(2_000) })
  .describe("What `navigator.credentials` gave, as `toJSON()` writes it");

export const AddPasskey = z.strictObject({
  challenge_id: z.string().max(100),
  name: z.string().trim().min(1).max(100),
  response: Response,
});
export type AddPasskey = z.infer<typeof AddPasskey>;

export const UsePasskey = z.strictObject({ response: Response });

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what authenticators have. */
const algorithms = [-8, -7, -257];

/** Loaded when it is needed: it brings parsers of many kinds of certificates. */
function webAuthn() {
  return import("@simplewebauthn/server");
}

/** Who relies on a passkey: the host of the console, which no passkey of another host is for. */
function relyingParty({ config }: Pick<Runtime, "config">) {
  const { hostname, origin } = new URL(config.baseUrl);
  return { rpID: hostname, origin };
}

export interface PasskeyChallenge<T> {
  readonly options: T;
  /** Names the challenge; used once. */
  readonly secret: string;
}

/** What a member's browser needs to make a passkey. */
export async function challengePasskey(
  ctx: ServiceContext,
): Promise<PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>> {
  const member = requireMember(ctx);
  const known = await ctx.read((tx) => selectPasskeys(tx, member.id));
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: "Mooring",
    supportedAlgorithmIDs: algorithms,
    rpID: relyingParty(ctx.runtime).rpID,
    userID: new TextEncoder().encode(member.id),
    userName: member.email,
    userDisplayName: member.name ?? member.email,
    excludeCredentials: known.map(({ credentialId }) => ({
      id: credentialId.toString("base64url"),
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const { challenge } = options;
  const secret = await begin(ctx.runtime, "passkey_registration", { challenge, member: member.id });
  return { options, secret };
}

export async function addPasskey(ctx: ServiceContext, input: AddPasskey): Promise<Passkey> {
  const member = requireMember(ctx);
  const begun = await take(ctx.runtime, "passkey_registration", input.challenge_id);
  if (begun?.member !== member.id) throw refused("challenge_id", "is not of an open challenge");
  const { rpID, origin } = relyingParty(ctx.runtime);
  const { verifyRegistrationResponse } = await webAuthn();
  const checked = await verifyRegistrationResponse({
    response: input.response as unknown as RegistrationResponseJSON,
    supportedAlgorithmIDs: algorithms,
    expectedChallenge: begun.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch((error: unknown) => {
    throw refused("response", error instanceof Error ? error.message : "is not valid");
  });
  if (!checked.verified) throw refused("response", "is not valid");
  const { credential } = checked.registrationInfo;
  const now = ctx.now();
  const passkey: Passkey = {
    id: newId(now),
    memberId: member.id,
    credentialId: Buffer.from(credential.id, "base64url"),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    name: input.name,
    createdAt: now,
    lastUsedAt: null,
  };
  return ctx.write(async (tx) => {
    if ((await selectPasskeys(tx, member.id)).length >= maxPasskeys) {
      throw new AppError("conflict", `a member has at most ${maxPasskeys} passkeys`);
    }
    await insertPasskey(tx, ctx.actor.tenantId, passkey);
    await auditTenant(ctx, tx, "passkey.create", passkey.id, { name: passkey.name });
    return passkey;
  });
}

export async function listPasskeys(ctx: ServiceContext): Promise<readonly Passkey[]> {
  const member = requireMember(ctx);
  return ctx.read((tx) => selectPasskeys(tx, member.id));
}

export async function removePasskey(ctx: ServiceContext, id: string): Promise<void> {
  const member = requireMember(ctx);
  await ctx.write(async (tx) => {
    if (!(await deletePasskey(tx, member.id, id))) throw notFound("passkey");
    await auditTenant(ctx, tx, "passkey.delete", id);
  });
}

/** What any browser needs to sign in with a passkey that it has for this host. */
export async function challengeSignIn(
  runtime: Runtime,
): Promise<PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await webAuthn();
  const { rpID } = relyingParty(runtime);
  const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
  const { challenge } = options;
  return { options, secret: sealAttempt(runtime, "passkey", { challenge }, attemptMs) };
}

/** Null when the passkey is unknown, or the answer is not one to the browser's own challenge. */
export async function signInWithPasskey(
  runtime: Runtime,
  secret: string,
  response: z.infer<typeof UsePasskey>["response"],
  browser: Browser,
): Promise<OpenedSession | null> {
  const attempt = openAttempt(runtime, "passkey", secret);
  if (attempt === null) return null;
  const begun = Begun.parse(attempt.details);
  const { rpID, origin } = relyingParty(runtime);
  const { verifyAuthenticationResponse } = await webAuthn();
  return runtime.system(async (tx) => {
    const found = await lockPasskey(tx, Buffer.from(response.id, "base64url"));
    if (found === null) return null;
    const { passkey, tenantId } = found;
    const checked = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: begun.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        id: passkey.credentialId.toString("base64url"),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
    }).catch(() => null); // whatever is wrong with it, it proves nothing
    if (checked?.verified !== true) return null;
    if (!(await useAttempt(tx, attempt))) return null;
    const at = runtime.clock.now();
    await notePasskeyUse(tx, passkey.id, { counter: checked.authenticationInfo.newCounter, at });
    const member = await selectMember(tx, passkey.memberId);
    if (member === null) return null;
    const { id: memberId, role } = member;
    const name = member.name ?? member.email;
    return openSession(runtime, tx, { tenantId, memberId, name, role }, "passkey", browser);
  });
}

function requireMember({ actor }: ServiceContext): SessionMember {
  requireSession(actor);
  if (actor.member) return actor.member;
  throw new AppError("forbidden", "this session belongs to nobody: a passkey needs a member");
}

function refused(path: string, message: string): AppError {
  return invalid([{ path, message }]);
}

const Begun = z.object({ challenge: z.string(), member: z.string().optional() });

async function begin(
  runtime: Runtime,
  kind: "passkey_registration",
  details: object,
): Promise<string> {
  const secret = newSecret();
  const expiresAt = new Date(runtime.clock.now().getTime() + attemptMs);
  const tokenHash = hashOwnSecret(secret);
  await runtime.system((tx) => insertAttempt(tx, { tokenHash, kind, details, expiresAt }));
  return secret;
}

async function take(
  runtime: Runtime,
  kind: "passkey_registration",
  secret: string,
): Promise<z.infer<typeof Begun> | null> {
  const hash = hashSecret(secret);
  if (hash === null) return null;
  const found = await runtime.system((tx) => takeAttempt(tx, hash, kind, runtime.clock.now()));
  return found && Begun.parse(found);
}
