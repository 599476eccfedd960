import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiMetrics } from "../../metrics/api.ts";
import { createOidcSignIn, type OidcSignIn, SignInRefused } from "../../services/people/oidc.ts";
import type { Runtime } from "../../services/runtime.ts";
import { createSignInPages, type SignInPages } from "./console.ts";
import { choicePage, signInTroublePage } from "./sign-in-page.ts";

/**
 * Sign-in with OpenID Connect, when an issuer is configured; and which ways to sign in there are.
 */
export function mountOidc(app: FastifyInstance, runtime: Runtime, metrics: ApiMetrics): void {
  const oidc = createOidcSignIn(runtime);
  app.get("/console/sign-in.json", (_request, reply) =>
    reply
      .headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" })
      .send({ oidc: oidc !== null, passkeys: true }),
  );
  if (oidc === null) return;
  const pages = createSignInPages(runtime, metrics);
  const refusing = refusals(runtime, pages);
  app.get(
    "/console/oidc/start",
    pages.beginPage(async (_request, reply) => {
      const { url, secret } = await oidc.start();
      return reply.header("set-cookie", pages.cookies.setAttempt(secret)).redirect(url, 303);
    }),
  );
  app.get(
    "/console/oidc/callback",
    pages.page((request, reply) =>
      refusing(request, reply, () => finish(oidc, pages, request, reply)),
    ),
  );
  app.post(
    "/console/oidc/choose/:tenant",
    pages.page((request, reply) =>
      refusing(request, reply, async () => {
        if (!pages.isOwnForm(request)) throw new SignInRefused("Another site sent this form.");
        const { tenant } = request.params as { readonly tenant: string };
        const secret = pages.cookies.attempt(request) ?? "";
        const session = await oidc.choose(secret, tenant, pages.describeBrowser(request));
        reply.header("set-cookie", pages.cookies.endAttempt());
        return pages.signedIn(reply, session, "../../");
      }),
    ),
  );
}

async function finish(
  oidc: OidcSignIn,
  pages: SignInPages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const secret = pages.cookies.attempt(request) ?? "";
  const search = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
  const outcome = await oidc.finish(secret, search, pages.describeBrowser(request));
  if ("session" in outcome) {
    reply.header("set-cookie", pages.cookies.endAttempt());
    return pages.signedIn(reply, outcome.session, "../");
  }
  reply.header("set-cookie", pages.cookies.setAttempt(outcome.secret));
  return reply.send(choicePage(outcome.choices));
}

/** A refusal is a page with its reason; the cause, if there is one, is in the log. */
function refusals(runtime: Runtime, pages: SignInPages) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      pages.noteGuess(request);
      runtime.log.info({ err: error.cause, requestId: request.id }, "sign-in refused");
      return reply.code(403).send(signInTroublePage("Not signed in", error.message));
    }
  };
}
