import { z } from "zod";
import { environments } from "../../domain/tenancy.ts";
import { BrandBody, brandBody } from "../../services/applications/brand.ts";
import { getWidgetSettings } from "../../services/applications/widget-settings.ts";
import { defineRoute } from "../http/route.ts";

const FeaturesBody = z.object({
  pair: z.boolean().describe("A domain and its `www` are connected together"),
  wildcard: z.boolean().describe("Names such as `*.shop.acme.com` can be connected"),
  cutover: z.boolean().describe("A name that serves elsewhere can be prepared before it moves"),
  email: z.boolean(),
  disconnect: z.boolean().describe("The token lists and archives its customer's domains"),
  oauth: z.array(z.string()).describe("Providers whose sign-in is configured, by slug"),
  oauth_retained: z
    .boolean()
    .describe("A sign-in is retained for later changes of the same domain"),
});

const WidgetSettingsBody = z
  .object({
    application_name: z.string(),
    brand: BrandBody.nullable(),
    environment: z.enum(environments),
    languages: z.array(z.string()),
    features: FeaturesBody,
  })
  .meta({ id: "WidgetSettings" });

export const getWidgetSettingsRoute = defineRoute({
  method: "GET",
  path: "/v1/widget/settings",
  tag: "Widget",
  summary: "What the widget shows and offers for its token's application",
  description: "For an API key those of the application that the key was made under.",
  scopes: ["connections:read"],
  widget: true,
  role: "viewer",
  session: "refused",
  output: WidgetSettingsBody,
  statuses: [200],
  run: (ctx) => getWidgetSettings(ctx),
  reply: ({ application, languages, features }) => ({
    application_name: application.name,
    brand: brandBody(application.brand),
    environment: application.environment,
    languages: [...languages],
    features: { ...features, oauth: [...features.oauth] },
  }),
});
