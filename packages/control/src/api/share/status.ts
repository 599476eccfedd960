import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Runtime } from "../../services/runtime.ts";
import { createShares, type FoundShareLink } from "../../services/share/links.ts";
import {
  CreateStatusLink,
  createStatusLink,
  createStatusPages,
  ListStatusLinks,
  listStatusLinks,
  mostShown,
  type NewStatusLink,
  revokeStatusLink,
  type StatusLink,
} from "../../services/share/status-links.ts";
import { defineRoute, IdParams, listSchema, Time, time, Uuid } from "../http/route.ts";
import { contentPolicy, createLinkedPages } from "./linked-page.ts";
import { type SendShared, sendBrand, sharedReplies } from "./share.ts";
import { statusPage, statusText } from "./status-page.ts";

const fields = {
  id: Uuid,
  customer_ref: z.string(),
  application_id: Uuid,
  created_at: Time,
  expires_at: Time,
};
const StatusLinkBody = z.object(fields).meta({ id: "StatusLink" });
const NewStatusLinkBody = z
  .object({
    ...fields,
    url: z.url().describe("Anyone who has it can read the page; it is shown only here"),
  })
  .meta({ id: "NewStatusLink" });

function statusLinkBody(link: StatusLink): z.input<typeof StatusLinkBody> {
  return {
    id: link.id,
    customer_ref: link.customerRef,
    application_id: link.applicationId,
    created_at: time(link.createdAt),
    expires_at: time(link.expiresAt),
  };
}

export const createStatusLinkRoute = defineRoute({
  method: "POST",
  path: "/v1/status-links",
  tag: "Connections",
  summary: "A link to a page with the domains of one customer, for that customer",
  description: `The page is read-only and needs no login and no script. It shows the brand of the application and the customer's own domains of it, at most ${mostShown}: how each is in one word, what is to do and by whom, until when the certificate is valid, and when it was last checked. It is in seven languages. The link ends when it expires, when it is revoked, with the application, or when twenty newer ones of the customer were made. The reference of the customer is in the body because it may be any text.`,
  scopes: ["connections:write"],
  role: "support",
  limit: "tokens",
  body: CreateStatusLink,
  output: NewStatusLinkBody,
  statuses: [201],
  run: (ctx, { body }) => createStatusLink(ctx, body),
  reply: (link: NewStatusLink) => ({ ...statusLinkBody(link), url: link.url }),
});

export const listStatusLinksRoute = defineRoute({
  method: "GET",
  path: "/v1/status-links",
  tag: "Connections",
  summary: "List the links to a customer's page that have not ended",
  description: "Newest first. The address of a link is shown only when it is made.",
  scopes: ["connections:read"],
  role: "viewer",
  query: ListStatusLinks,
  output: listSchema(StatusLinkBody),
  statuses: [200],
  run: (ctx, { query }) => listStatusLinks(ctx, query),
  reply: (links) => ({ data: links.map(statusLinkBody), next_cursor: null }),
});

export const revokeStatusLinkRoute = defineRoute({
  method: "DELETE",
  path: "/v1/status-links/{id}",
  tag: "Connections",
  summary: "Revoke a link to a customer's page",
  description:
    "A reader who opens it from now on gets the same answer as for a link that never was.",
  scopes: ["connections:write"],
  role: "support",
  params: IdParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => revokeStatusLink(ctx, params.id),
  reply: () => null,
});

/** The page of a customer, and below it the share page of each of its domains. */
export function mountStatus(app: FastifyInstance, runtime: Runtime, metrics: ApiMetrics): void {
  const pages = createStatusPages(runtime);
  const shares = createShares(runtime);
  const linkedPage = createLinkedPages(runtime, metrics);
  const find = (token: string) => pages.find(token);
  const asksDns = () => false;

  app.get(
    "/status/:token",
    linkedPage({
      find,
      asksDns,
      async send(reply, link, page) {
        const status = await pages.read(link);
        return reply
          .header("content-security-policy", contentPolicy(status.brand.logoUrl, false))
          .send(statusPage(status, page, runtime.clock.now()));
      },
    }),
  );
  app.get(
    "/status/:token/brand.css",
    linkedPage({
      find,
      asksDns,
      send: async (reply, link) => sendBrand(reply, (await pages.read(link)).brand),
    }),
  );

  const ofDomain = (send: SendShared) =>
    linkedPage<FoundShareLink>({
      async find(token, request) {
        const { hostname } = request.params as { readonly hostname: string };
        const link = await pages.find(token);
        return link && pages.findDomain(link, hostname);
      },
      asksDns: (link) => !shares.isRecent(link),
      send: async (reply, link, page) => {
        const shared = await shares.read(link);
        const text = statusText(page.language, "title", shared.brand);
        const back = { href: `../${page.token}?lang=${page.language}`, text };
        return send(reply, shared, { ...page, token: encodeURIComponent(link.hostname), back });
      },
    });
  app.get("/status/:token/:hostname", ofDomain(sharedReplies.page));
  app.get("/status/:token/:hostname/zone.txt", ofDomain(sharedReplies.zoneFile));
  app.get("/status/:token/:hostname/brand.css", ofDomain(sharedReplies.brand));
}
