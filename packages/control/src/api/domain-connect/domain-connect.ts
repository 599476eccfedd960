import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { getConnection } from "../../services/connections/read.ts";
import type { ReturnQuery } from "../../services/domain-connect/return.ts";
import { type ReturnResult, returnFromProvider } from "../../services/domain-connect/return.ts";
import { StartDomainConnect } from "../../services/domain-connect/schemas.ts";
import {
  type StartedDomainConnect,
  startDomainConnect,
} from "../../services/domain-connect/start.ts";
import {
  type ApplicationTemplates,
  getApplicationTemplates,
  type PublishedTemplate,
  templateKinds,
} from "../../services/domain-connect/template.ts";
import type { Runtime } from "../../services/runtime.ts";
import { toAppError } from "../http/error-reply.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { defineRoute, IdParams, Time, time, Uuid } from "../http/route.ts";
import { mountFiles } from "../pages/assets.ts";
import { acceptedPage, refusedPage, troublePage } from "./page.ts";

const StartedDomainConnectBody = z
  .object({
    apply_url: z
      .string()
      .describe("Open it as it is, in a popup or in the same tab: it is signed to the last byte"),
    provider_name: z.string().describe("The DNS provider's name, to be shown"),
    expires_at: Time.describe("Until when the customer may come back"),
    mode: z
      .enum(["sync", "async"])
      .describe("`async`: the customer allows this service to apply the records"),
    width: z.int().describe("Of the popup, as the provider asks"),
    height: z.int(),
    covers: z
      .array(Uuid)
      .describe("The connections whose records this consent sets: both of a pair, or the one"),
  })
  .meta({ id: "DomainConnectStart" });

function startedDomainConnectBody(
  started: StartedDomainConnect,
): z.input<typeof StartedDomainConnectBody> {
  return {
    apply_url: started.applyUrl,
    provider_name: started.providerName,
    expires_at: time(started.expiresAt),
    mode: started.mode,
    width: started.width,
    height: started.height,
    covers: [...started.covers],
  };
}

const TemplateBody = z.object({
  kind: z.enum(templateKinds),
  file_name: z.string().describe("The name of the file in the public repository of templates"),
  template: z.record(z.string(), z.unknown()).describe("The content of the file"),
  lint: z
    .array(
      z.object({
        severity: z.enum(["error", "warning"]),
        path: z.string(),
        message: z.string(),
      }),
    )
    .describe("What the repository or a provider would object to"),
});

const DomainConnectTemplatesBody = z
  .object({
    templates: z.array(TemplateBody),
    impossible: z
      .array(z.object({ kind: z.enum(templateKinds), problems: z.array(z.string()) }))
      .describe("The kinds of names for which the records make no template"),
    keys: z
      .array(z.object({ name: z.string(), signing: z.boolean() }))
      .describe("Where the public keys are in DNS, and which of them signs"),
    instructions: z.array(z.string()).describe("What to do with the templates, step by step"),
  })
  .meta({ id: "DomainConnectTemplates" });

function domainConnectTemplatesBody(
  found: ApplicationTemplates,
): z.input<typeof DomainConnectTemplatesBody> {
  return {
    templates: found.templates.map(templateBody),
    impossible: found.impossible.map(({ kind, problems }) => ({ kind, problems: [...problems] })),
    keys: found.keys.map(({ name, isSigning }) => ({ name, signing: isSigning })),
    instructions: [...found.instructions],
  };
}

function templateBody(one: PublishedTemplate): z.input<typeof TemplateBody> {
  return {
    kind: one.kind,
    file_name: one.fileName,
    template: { ...one.template },
    lint: one.lint.map(({ severity, path, message }) => ({ severity, path, message })),
  };
}

export const startDomainConnectRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/domain-connect:start",
  tag: "Connections",
  summary: "Send the customer to their DNS provider (Domain Connect)",
  description:
    "A signed link under which the customer signs in at their DNS provider and confirms the records there; no credential reaches this service. Afterwards DNS, and nothing else, shows whether it was done. Where it is not possible, `details.reason` says why, and the records can be added by hand.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  readConnection: getConnection,
  timeoutMs: 15_000,
  params: IdParams,
  body: StartDomainConnect,
  output: StartedDomainConnectBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => startDomainConnect(ctx, params.id, body),
  reply: startedDomainConnectBody,
});

export const getDomainConnectTemplateRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}/domain-connect-template",
  tag: "Applications",
  summary: "Read the Domain Connect templates of an application's records",
  description:
    "Ready to be submitted to the public repository of templates. An application with its own record template has its own templates; the others share the default ones.",
  scopes: ["apps:admin"],
  role: "viewer",
  params: IdParams,
  output: DomainConnectTemplatesBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => getApplicationTemplates(ctx, params.id),
  reply: domainConnectTemplatesBody,
});

export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  // The URL holds the state.
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "x-content-type-options": "nosniff",
} as const;

const files = ["return.css", "return.js"];
const directory = new URL("../../../assets/domain-connect/", import.meta.url);

const base = "/v1/connect/domain-connect";
const timeoutMs = 15_000;

/**
 * The page that customers return to from their DNS provider. It needs no credential: the state in
 * the URL is one, for one use. Every reply is a page for a person, or a redirect to where the
 * connection was started.
 */
export function mountDomainConnectReturn(app: FastifyInstance, runtime: Runtime): void {
  const limiter = createRateLimiter();
  const limit = runtime.config.rateLimits.unauthorized;
  const assets = `${new URL(runtime.config.baseUrl).pathname.replace(/\/$/, "")}${base}`;

  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers(pageHeaders).type("text/html; charset=utf-8");
    const guesses = limiter.peek(request.ip, limit);
    if (!guesses.allowed) {
      reply.code(429).header("retry-after", guesses.resetSeconds);
      return reply.send(troublePage(assets, tooManyRequests));
    }
    try {
      const result = await returnFromProvider(
        runtime,
        readReturn(request),
        AbortSignal.timeout(timeoutMs),
      );
      if (result.kind === "refused" && result.reason === "unknown") limiter.take(request.ip, limit);
      return sendResult(reply, assets, result);
    } catch (error) {
      return sendFailure(runtime, request, reply, assets, error);
    }
  };

  app.get(`${base}/return`, sendPage);
  app.get(`${base}/return/:state`, sendPage);
  mountFiles(app, base, directory, files);
}

export const tooManyRequests = {
  title: "Too many requests",
  text: "Wait a minute, then load this page again.",
};

/** A parameter that occurs twice counts as absent. */
function readReturn(request: FastifyRequest): {
  readonly pathState: string | null;
  readonly query: ReturnQuery;
} {
  const query = new Map(Object.entries(request.query ?? {}));
  const params = new Map(Object.entries(request.params ?? {}));
  const text = (from: ReadonlyMap<string, unknown>, name: string): string | null => {
    const value = from.get(name);
    return typeof value === "string" ? value : null;
  };
  return {
    pathState: text(params, "state"),
    query: {
      state: text(query, "state"),
      code: text(query, "code"),
      error: text(query, "error"),
      errorDescription: text(query, "error_description"),
    },
  };
}

function sendResult(reply: FastifyReply, assets: string, result: ReturnResult): FastifyReply {
  if (result.kind === "refused") {
    const { status, body } = refusedPage(assets, result.reason);
    return reply.code(status).send(body);
  }
  const { redirectUri, connectionId, status } = result;
  if (redirectUri === null) return reply.send(acceptedPage(assets, result));
  const target = new URL(redirectUri);
  target.searchParams.set("connection_id", connectionId);
  target.searchParams.set("domain_connect", status);
  return reply.redirect(target.href, 303);
}

/** A page that says so; the cause is in the log under the request's id, without the URL. */
function sendFailure(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  assets: string,
  error: unknown,
): FastifyReply {
  const { code } = toAppError(error, request.id);
  const isBug = code === "internal";
  runtime.log[isBug ? "error" : "warn"](
    { err: error, requestId: request.id },
    "return from dns provider failed",
  );
  const text = "What your DNS provider has set is found all the same. You can close this window.";
  const body = troublePage(assets, { title: "Something went wrong", text });
  return reply.code(isBug ? 500 : 503).send(body);
}
