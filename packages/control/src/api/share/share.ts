import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Runtime } from "../../services/runtime.ts";
import type { ShareBrand } from "../../services/share/brand.ts";
import {
  createShares,
  type FoundShareLink,
  type NewShareLink,
  type SharedConnection,
  shareConnection,
} from "../../services/share/links.ts";
import type { RemovalRequest } from "../../services/share/removal.ts";
import { zoneFile } from "../connections/zone-file.ts";
import { defineRoute, IdParams, Time, time } from "../http/route.ts";
import { mountFiles } from "../pages/assets.ts";
import { contentPolicy, createLinkedPages, type PageRequest } from "./linked-page.ts";
import { removalPage } from "./removal-page.ts";
import { expiredPage, type SharePageRequest, sharePage } from "./share-page.ts";

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
    "The page is read-only, needs no login and no script, and shows the records, what DNS has of them now and what to do. Of a pair it shows both names. It ends after seven days, with the connection, or when twenty newer links were made. For an archived connection that is `dangling` the page shows the record to remove and why, and nothing can be connected from it; for any other archived one: 409. A widget token gets no such link.",
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
    linkedPage<OpenedLink>({
      async find(token) {
        const link = await shares.find(token);
        if (link !== null) return { ...link, isRemoval: false };
        const removal = await shares.findRemoval(token);
        return removal === null ? null : { ...removal, isRemoval: true };
      },
      asksDns: (link) => link.isRemoval || !shares.isRecent(link),
      send: async (reply, link, page) =>
        link.isRemoval
          ? sendRemoval(reply, await shares.readRemoval(link), page)
          : send(reply, await shares.read(link), page),
    });
  app.get("/share/:token", handle(sharedReplies.page));
  app.get("/share/:token/zone.txt", handle(sharedReplies.zoneFile));
  app.get("/share/:token/brand.css", handle(sharedReplies.brand));
  mountFiles(app, "/share", directory, files);
}

interface OpenedLink extends FoundShareLink {
  /** To what an archived connection left behind. */
  readonly isRemoval: boolean;
}

/** The page of an archived connection; of its parts only the colour is there. */
function sendRemoval(
  reply: FastifyReply,
  request: RemovalRequest | null,
  page: PageRequest,
): FastifyReply {
  if (request === null) return reply.code(404).send(expiredPage(page));
  const { brand } = request;
  if (reply.request.url.includes("/brand.css")) return sendBrand(reply, brand);
  return reply
    .header("content-security-policy", contentPolicy(brand.logoUrl))
    .send(removalPage(request, page));
}
