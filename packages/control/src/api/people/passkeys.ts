import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ApiMetrics } from "../../metrics/api.ts";
import {
  AddPasskey,
  addPasskey,
  challengePasskey,
  challengeSignIn,
  listPasskeys,
  type Passkey,
  removePasskey,
  signInWithPasskey,
  UsePasskey,
} from "../../services/people/passkeys.ts";
import type { Runtime } from "../../services/runtime.ts";
import { parseInput } from "../http/parse-input.ts";
import { defineRoute, IdParams, Time, time, timeOrNull, Uuid } from "../http/route.ts";
import { createSignInPages } from "./console.ts";

const PasskeyBody = z
  .object({ id: Uuid, name: z.string(), created_at: Time, last_used_at: Time.nullable() })
  .meta({ id: "Passkey" });

function passkeyBody(passkey: Passkey): z.input<typeof PasskeyBody> {
  return {
    id: passkey.id,
    name: passkey.name,
    created_at: time(passkey.createdAt),
    last_used_at: timeOrNull(passkey.lastUsedAt),
  };
}

export const challengePasskeyRoute = defineRoute({
  method: "POST",
  path: "/v1/passkeys:challenge",
  tag: "Members and sessions",
  summary: "Begin to add a passkey",
  description:
    "Give `options` to `navigator.credentials.create`. It can be used once, for five minutes.",
  scopes: [],
  role: "viewer",
  session: "only",
  output: z
    .object({ challenge_id: z.string(), options: z.record(z.string(), z.unknown()) })
    .meta({ id: "PasskeyChallenge" }),
  statuses: [200],
  run: (ctx) => challengePasskey(ctx),
  reply: ({ secret, options }) => ({ challenge_id: secret, options: { ...options } }),
});

export const addPasskeyRoute = defineRoute({
  method: "POST",
  path: "/v1/passkeys",
  tag: "Members and sessions",
  summary: "Add a passkey of your own",
  scopes: [],
  role: "viewer",
  session: "only",
  body: AddPasskey,
  output: PasskeyBody,
  statuses: [201],
  errors: ["conflict"],
  run: (ctx, { body }) => addPasskey(ctx, body),
  reply: passkeyBody,
});

export const listPasskeysRoute = defineRoute({
  method: "GET",
  path: "/v1/passkeys",
  tag: "Members and sessions",
  summary: "List your own passkeys",
  scopes: [],
  role: "viewer",
  session: "only",
  output: z.object({ data: z.array(PasskeyBody) }),
  statuses: [200],
  run: (ctx) => listPasskeys(ctx),
  reply: (all) => ({ data: all.map(passkeyBody) }),
});

export const removePasskeyRoute = defineRoute({
  method: "DELETE",
  path: "/v1/passkeys/{id}",
  tag: "Members and sessions",
  summary: "Remove a passkey of your own",
  scopes: [],
  role: "viewer",
  session: "only",
  params: IdParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => removePasskey(ctx, params.id),
  reply: () => null,
});

/** Sign-in with a passkey, called by the console's page before there is a session. */
export function mountPasskeySignIn(
  app: FastifyInstance,
  runtime: Runtime,
  metrics: ApiMetrics,
): void {
  const pages = createSignInPages(runtime, metrics);
  const json = "application/json; charset=utf-8";
  app.post(
    "/console/passkey/challenge",
    pages.beginPage(async (request, reply) => {
      reply.type(json);
      if (!pages.isOwnForm(request)) return reply.code(403).send({ signed_in: false });
      const { options, secret } = await challengeSignIn(runtime);
      return reply.header("set-cookie", pages.cookies.setAttempt(secret)).send(options);
    }),
  );
  app.post(
    "/console/passkey",
    pages.page(async (request, reply) => {
      reply.type(json);
      const input = parseInput(UsePasskey, request.body);
      const secret = pages.cookies.attempt(request);
      const session =
        input.success && secret !== null && pages.isOwnForm(request)
          ? await signInWithPasskey(
              runtime,
              secret,
              input.data.response,
              pages.describeBrowser(request),
            )
          : null;
      if (session === null) {
        pages.noteGuess(request);
        return reply.code(403).send({ signed_in: false });
      }
      return reply
        .header("set-cookie", pages.cookies.endAttempt())
        .header("set-cookie", pages.cookies.setSession(session.secret))
        .send({ signed_in: true });
    }),
  );
}
