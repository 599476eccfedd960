import * as client from "openid-client";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import { insertMember } from "../../db/queries/people/members.ts";
import {
  insertAttempt,
  type Membership,
  selectMemberships,
  takeAttempt,
} from "../../db/queries/people/sign-in-attempts.ts";
import { newId } from "../../domain/id.ts";
import { normalizedEmail } from "../../domain/people/member.ts";
import { hashOwnSecret, hashSecret, newSecret } from "../../domain/people/session.ts";
import type { Runtime } from "../runtime.ts";
import { openAttempt, type SealedAttempt, sealAttempt, useAttempt } from "./sealed-attempt.ts";
import { type Browser, type OpenedSession, openSession } from "./sign-in.ts";

export type { Membership } from "../../db/queries/people/sign-in-attempts.ts";

/** How long a person may take at the issuer, and to choose a tenant. */
const attemptMs = 600_000;
const timeoutSeconds = 10;

export interface StartedSignIn {
  /** Where the browser goes next. */
  readonly url: string;
  /** For the cookie that finds the attempt again. */
  readonly secret: string;
}

/** Why a person was not signed in, in words for them. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
}

export type SignInOutcome =
  | { readonly session: OpenedSession }
  /** The address is known in several tenants; the secret finds the choice again. */
  | { readonly choices: readonly Membership[]; readonly secret: string };

export interface OidcSignIn {
  start(): Promise<StartedSignIn>;
  /** Ends what `start` began, with the query that the issuer sent the browser back with. */
  finish(secret: string, search: string, browser: Browser): Promise<SignInOutcome>;
  choose(secret: string, tenantId: string, browser: Browser): Promise<OpenedSession>;
}

/** Sign-in at the operator's OpenID Connect issuer; null when none is configured. */
export function createOidcSignIn(runtime: Runtime): OidcSignIn | null {
  const { oidcIssuer, oidcClientId, baseUrl } = runtime.config;
  if (oidcIssuer === null || oidcClientId === null) return null;
  const redirectUri = `${baseUrl}/console/oidc/callback`;
  const discovered = createDiscovery(runtime, oidcIssuer, oidcClientId);
  return {
    async start() {
      const config = await discovered();
      const verifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const nonce = client.randomNonce();
      const secret = sealAttempt(runtime, "oidc", { verifier, state, nonce }, attemptMs);
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      });
      return { url: url.href, secret };
    },
    async finish(secret, search, browser) {
      const attempt = openAttempt(runtime, "oidc", secret);
      if (attempt === null) throw notBegun();
      const begun = BegunOidc.parse(attempt.details);
      const person = await verifiedPerson(await discovered(), `${redirectUri}${search}`, begun);
      return signInPerson(runtime, attempt, person, browser);
    },
    async choose(secret, tenantId, browser) {
      const person = Person.parse(await take(runtime, "choice", secret));
      return runtime.system(async (tx) => {
        const found = await selectMemberships(tx, person.email);
        const chosen = found.find((one) => one.tenantId === tenantId);
        if (!chosen) throw new SignInRefused("You are not a member there.");
        return enter(runtime, tx, chosen, person, browser);
      });
    },
  };
}

const BegunOidc = z.object({ verifier: z.string(), state: z.string(), nonce: z.string() });
const Person = z.object({ email: z.string(), name: z.string().nullable() });
type Person = z.infer<typeof Person>;

/** The issuer's configuration is read when it is first needed, and again after a failure. */
function createDiscovery(runtime: Runtime, issuer: string, clientId: string) {
  let known: Promise<client.Configuration> | null = null;
  const secret = runtime.config.oidcClientSecret;
  const discover = () =>
    client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      secret === null ? client.None() : client.ClientSecretPost(secret),
      {
        timeout: timeoutSeconds,
        // Only an issuer on this machine may be spoken to without TLS; the configuration checks
        // that.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith("http:") ? [client.allowInsecureRequests] : []),
        ],
      },
    );
  return (): Promise<client.Configuration> => {
    known ??= discover().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

async function begin(runtime: Runtime, kind: "choice", details: object): Promise<string> {
  const secret = newSecret();
  const expiresAt = new Date(runtime.clock.now().getTime() + attemptMs);
  const tokenHash = hashOwnSecret(secret);
  await runtime.system((tx) => insertAttempt(tx, { tokenHash, kind, details, expiresAt }));
  return secret;
}

async function take(runtime: Runtime, kind: "choice", secret: string): Promise<object> {
  const hash = hashSecret(secret);
  const found =
    hash && (await runtime.system((tx) => takeAttempt(tx, hash, kind, runtime.clock.now())));
  if (!found) throw notBegun();
  return found;
}

function notBegun(): SignInRefused {
  return new SignInRefused("This sign-in took too long, or was begun elsewhere.");
}

/**
 * Exchanges the code and checks the identity: signature, audience, nonce, state, and a verified
 * address.
 */
async function verifiedPerson(
  config: client.Configuration,
  currentUrl: string,
  attempt: z.infer<typeof BegunOidc>,
): Promise<Person> {
  const tokens = await client
    .authorizationCodeGrant(config, new URL(currentUrl), {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    .catch(refuse);
  const claims = tokens.claims();
  if (claims === undefined) throw new SignInRefused("The identity provider sent no identity.");
  const identity =
    claims["email"] === undefined
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub).catch(refuse)
      : claims;
  const { email, email_verified: isVerified, name } = identity as Readonly<Record<string, unknown>>;
  if (typeof email !== "string" || isVerified !== true) {
    throw new SignInRefused("The identity provider has not verified your mail address.");
  }
  const isNamed = typeof name === "string" && name.length > 0 && name.length <= 100;
  return { email: normalizedEmail(email), name: isNamed ? name : null };
}

/** A refusal for an answer that is not valid; trouble on the way to the issuer stays what it is. */
function refuse(error: unknown): never {
  if (error instanceof client.AuthorizationResponseError) {
    throw new SignInRefused("The sign-in was cancelled or refused.", { cause: error });
  }
  const isInvalid =
    error instanceof client.ClientError || error instanceof client.ResponseBodyError;
  if (!isInvalid) throw error;
  throw new SignInRefused("The identity provider's answer is not valid.", { cause: error });
}

async function signInPerson(
  runtime: Runtime,
  attempt: SealedAttempt,
  person: Person,
  browser: Browser,
): Promise<SignInOutcome> {
  const outcome = await runtime.system(async (tx) => {
    if (!(await useAttempt(tx, attempt))) throw notBegun();
    const found = await selectMemberships(tx, person.email);
    const [only, ...others] = found;
    if (only === undefined) {
      throw new SignInRefused(`${person.email} is no member here. Ask an admin to invite you.`);
    }
    return others.length > 0 ? found : enter(runtime, tx, only, person, browser);
  });
  if ("secret" in outcome) return { session: outcome };
  return { choices: outcome, secret: await begin(runtime, "choice", person) };
}

/** Opens the session; who comes by a listed domain for the first time becomes a member. */
async function enter(
  runtime: Runtime,
  tx: Tx,
  membership: Membership,
  person: Person,
  browser: Browser,
): Promise<OpenedSession> {
  const { tenantId, role } = membership;
  const memberId = membership.memberId ?? (await join(runtime, tx, membership, person, browser));
  const name = membership.name ?? person.name ?? person.email;
  return openSession(runtime, tx, { tenantId, memberId, name, role }, "oidc", browser);
}

async function join(
  runtime: Runtime,
  tx: Tx,
  { tenantId, role }: Membership,
  { email, name }: Person,
  browser: Browser,
): Promise<string> {
  const now = runtime.clock.now();
  const member = { id: newId(now), email, name, role, createdAt: now, lastSeenAt: null };
  if (!(await insertMember(tx, tenantId, member))) {
    throw new SignInRefused("Two sign-ins at once: try again.");
  }
  await insertAudit(tx, {
    tenantId,
    environment: null,
    at: now,
    actor: `member:${member.id}`,
    actorName: name ?? email,
    requestId: browser.requestId,
    address: browser.address,
    action: "member.join",
    subject: `member:${member.id}`,
    details: { email, role },
  });
  return member.id;
}
