import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Runtime } from "../../services/runtime.ts";
import {
  createShares,
  type FoundShareLink,
  type NewShareLink,
  type ShareBrand,
  type SharedConnection,
  shareConnection,
} from "../../services/share/links.ts";
import { zoneFile } from "../connections/zone-file.ts";
import { defineRoute, IdParams, Time, time } from "../http/route.ts";
import { mountFiles } from "../pages/assets.ts";
import { contentPolicy, createLinkedPages } from "./linked-page.ts";
import { type SharePageRequest, sharePage } from "./share-page.ts";

const ShareLinkBody = z
  .object({
    url: z.url().describe("Anyone who has it can read the page; it is shown only here"),
    expires_at: Time,
  })
  .meta({ id: "ShareLink" });

function shareLinkBody({ url, expiresAt }: NewShareLink): z.input<typeof ShareLinkBody> {
  return { url, expires_at: time(expiresAt) };
}

export const shareConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/share",
  tag: "Connections",
  summary: "A link to a page with the records, for the person who manages the domain's DNS",
  description:
    "The page is read-only, needs no login and no script, and shows the records, what DNS has of them now and what to do. Of a pair it shows both names. It ends after seven days, with the connection, or when twenty newer links were made.",
  scopes: ["connections:write"],
  role: "support",
  widget: true,
  limit: "tokens",
  params: IdParams,
  output: ShareLinkBody,
  statuses: [201],
  errors: ["conflict"],
  run: (ctx, { params }) => shareConnection(ctx, params.id),
  reply: shareLinkBody,
});

const files = ["share.css", "share.js"];
const directory = new URL("../../../assets/share/", import.meta.url);

export type SendShared = (
  reply: FastifyReply,
  shared: SharedConnection,
  page: SharePageRequest,
) => FastifyReply;

/** The page about a connection, and the files that it links to. */
export const sharedReplies = {
  page(reply, shared, page) {
    return reply
      .header("content-security-policy", contentPolicy(shared.brand.logoUrl))
      .send(sharePage(shared, page));
  },
  zoneFile(reply, shared) {
    const name = `${shared.parts[0].connection.hostname}.zone`;
    return reply
      .type("text/plain; charset=utf-8")
      .header("content-disposition", `attachment; filename="${name}"`)
      .send(zoneFile(shared.parts));
  },
  brand: (reply, { brand }) => sendBrand(reply, brand),
} satisfies Readonly<Record<string, SendShared>>;

/** A colour of the page's own cannot be in the page: its policy allows no inline style. */
export function sendBrand(reply: FastifyReply, { color }: ShareBrand): FastifyReply {
  return reply
    .type("text/css; charset=utf-8")
    .send(color === null ? "" : `:root { --brand: ${color}; }\n`);
}

export function mountShare(app: FastifyInstance, runtime: Runtime, metrics: ApiMetrics): void {
  const shares = createShares(runtime);
  const linkedPage = createLinkedPages(runtime, metrics);
  const handle = (send: SendShared) =>
    linkedPage<FoundShareLink>({
      find: (token) => shares.find(token),
      asksDns: (link) => !shares.isRecent(link),
      send: async (reply, link, page) => send(reply, await shares.read(link), page),
    });
  app.get("/share/:token", handle(sharedReplies.page));
  app.get("/share/:token/zone.txt", handle(sharedReplies.zoneFile));
  app.get("/share/:token/brand.css", handle(sharedReplies.brand));
  mountFiles(app, "/share", directory, files);
}
