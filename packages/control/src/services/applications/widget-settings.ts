import type { Application } from "../../domain/applications/application.ts";
import { validationZoneFor } from "../../domain/certificates/validation.ts";
import { AppError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { oauthClients } from "../oauth/clients.ts";
import { requireApplication } from "./applications.ts";

export interface WidgetSettings {
  readonly application: Application;
  readonly languages: readonly string[];
  readonly features: {
    readonly pair: boolean;
    readonly wildcard: boolean;
    readonly cutover: boolean;
    readonly email: boolean;
    readonly disconnect: boolean;
    readonly oauth: readonly string[];
    readonly oauth_retained: boolean;
  };
}

/** The languages of the widget that this service serves. */
const languages = ["en", "de", "es", "fr", "pt-BR", "ja", "ar"];

/** What a widget shows and offers, by the caller's application and token. */
export async function getWidgetSettings(ctx: ServiceContext): Promise<WidgetSettings> {
  const { actor } = ctx;
  if (actor.kind !== "widget" && actor.kind !== "key") {
    throw new AppError("forbidden", "this needs an application's key or a widget token");
  }
  const { config } = ctx.runtime;
  const application = await ctx.read((tx) => requireApplication(tx, actor.applicationId));
  const sample = actor.environment === "test" ? "name.test" : "name.example";
  const isDelegated = validationZoneFor(config.validationZone, sample) !== null;
  return {
    application,
    languages,
    features: {
      pair: true,
      wildcard: isDelegated && application.wildcards,
      cutover: isDelegated && config.edgeKind !== "external",
      email: true,
      disconnect: actor.kind === "widget" && actor.customerRef !== null,
      oauth: oauthClients(ctx.runtime.config).map(({ slug }) => slug),
      oauth_retained: application.keepOAuth,
    },
  };
}
