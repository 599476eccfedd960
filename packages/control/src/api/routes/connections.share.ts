import { shareConnection } from "../../services/share/links.ts";
import { ShareLinkBody, shareLinkBody } from "../replies/share-link.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const shareConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/share",
  tag: "Connections",
  summary: "A link to a page with the records, for whoever manages the domain's DNS",
  description:
    "The page is read-only, needs no login and no script, and shows the records, what DNS has of them now and what to do. It ends after seven days, with the connection, or when twenty newer links were made.",
  scopes: ["connections:write"],
  widget: true,
  limit: "tokens",
  params: IdParams,
  output: ShareLinkBody,
  statuses: [201],
  errors: ["conflict"],
  run: (ctx, { params }) => shareConnection(ctx, params.id),
  reply: shareLinkBody,
});
