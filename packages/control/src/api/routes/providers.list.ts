import { z } from "zod";
import { listProviders } from "../../services/providers.ts";
import { ProviderBody, providerBody } from "../replies/provider.ts";
import { defineRoute } from "../route.ts";

export const listProvidersRoute = defineRoute({
  method: "GET",
  path: "/v1/providers",
  tag: "Domains",
  summary: "The DNS providers we know, and what each can do",
  scopes: [],
  output: z.object({ data: z.array(ProviderBody) }),
  statuses: [200],
  run: (ctx) => listProviders(ctx),
  reply: (listed) => ({ data: listed.map(providerBody) }),
});
