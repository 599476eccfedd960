import type { FastifyInstance } from "fastify";
import { AppError } from "../domain/errors.ts";
import { receiveStripeEvent } from "../services/billing/receive-event.ts";
import type { Runtime } from "../services/runtime.ts";

const maxBytes = 262_144;

/**
 * `POST /billing/stripe`: Stripe's events, proven by their signature alone. It covers the bytes as
 * they came, so in this scope, and nowhere else, a body is not parsed.
 */
export function mountBillingWebhook(app: FastifyInstance, runtime: Runtime): void {
  void app.register((scope, _options, mounted) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) =>
      done(null, bytes),
    );
    scope.setErrorHandler((error) => {
      throw isTooLarge(error)
        ? new AppError("payload_too_large", "the request body is over 262,144 bytes")
        : error;
    });
    scope.post("/billing/stripe", { bodyLimit: maxBytes }, async (request) => {
      const signature = request.headers["stripe-signature"];
      await receiveStripeEvent(runtime, {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: typeof signature === "string" ? signature : "",
      });
      return { received: true };
    });
    mounted();
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "FST_ERR_CTP_BODY_TOO_LARGE";
}
