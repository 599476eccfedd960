import type { FastifyInstance } from "fastify";
import type { AppError } from "../domain/errors.ts";
import type { Logger } from "../process/log.ts";
import type { Admission } from "./http/admit.ts";
import { type ErrorReply, sendError } from "./http/error-reply.ts";
import { formType, jsonBodyParser } from "./http/json-body.ts";
import type { Route } from "./http/route.ts";

/** Where all drop-in APIs are. */
export const dropInPrefix = "/compat/";

/**
 * An API in the shape of another vendor's, over the same verbs: a product that calls the vendor
 * switches by its base URL. Keys, scopes, roles and rate limits are those of our own API.
 */
export interface DropInApi {
  /** Of every path, as in `/compat/vercel`. */
  readonly prefix: `${typeof dropInPrefix}${string}`;
  /** Their paths begin after the prefix. */
  readonly routes: readonly Route[];
  readonly errorReply: (error: AppError) => ErrorReply;
  /** For a path that the vendor may have and we do not. */
  readonly noRoute: () => AppError;
  /** Headers of the answers of a status, which the vendor's clients read. */
  readonly replyHeaders?: (status: number) => Readonly<Record<string, string>>;
}

/**
 * Products read all their domains at once in nightly jobs, and delete what they take for unverified
 * when the answer is 429.
 */
const readMaxWaitMs = 2_000;

/**
 * Serves a drop-in API in a scope of its own: its errors, also those of unknown paths, are the
 * vendor's.
 */
export function mountDropIn(
  app: FastifyInstance,
  parts: { readonly dropIn: DropInApi; readonly admission: Admission; readonly log: Logger },
): void {
  const { dropIn, admission, log } = parts;
  const { errorReply, noRoute, replyHeaders } = dropIn;
  const mount = (scope: FastifyInstance, _options: object, done: () => void): void => {
    // Vendors read JSON whatever it is declared as, and clients rely on it.
    scope.removeContentTypeParser(formType);
    scope.addContentTypeParser("*", { parseAs: "string" }, jsonBodyParser);
    scope.setErrorHandler((error, request, reply) =>
      sendError(log, error, request.id, reply, errorReply),
    );
    scope.setNotFoundHandler((request, reply) =>
      sendError(log, noRoute(), request.id, reply, errorReply),
    );
    scope.addHook("onSend", (_request, reply, payload, sent) => {
      reply.headers(replyHeaders?.(reply.statusCode) ?? {});
      sent(null, payload);
    });
    for (const route of dropIn.routes) {
      const maxWaitMs = route.method === "GET" ? readMaxWaitMs : 0;
      admission.mount(scope, route, { render: errorReply, maxWaitMs });
    }
    done();
  };
  app.register(mount, { prefix: dropIn.prefix });
}
