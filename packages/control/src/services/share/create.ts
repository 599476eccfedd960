import { insertShareLink } from "../../db/queries/share-links.ts";
import { audit } from "../audit.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { hashShareToken, newShareToken } from "./token.ts";

const lifetimeMs = 7 * 86_400_000;
/** A widget may ask as often as it likes; the oldest links then end before their time. */
const linksPerConnection = 20;

export interface NewShareLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A link to the connection's page, for whoever manages the domain's DNS. */
export async function shareConnection(ctx: ServiceContext, id: string): Promise<NewShareLink> {
  const token = newShareToken();
  const tokenHash = hashShareToken(token);
  if (tokenHash === null) throw new Error("a new token has another shape than tokens have");
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  return ctx.write(async (tx) => {
    const connection = await requireConnection(ctx, tx, id);
    refuseArchived(connection);
    const link = { tokenHash, connectionId: connection.id, createdAt, expiresAt };
    await insertShareLink(tx, ctx.actor, link, linksPerConnection);
    await audit(ctx, tx, "connection.share", connection.id);
    return { url: `${ctx.runtime.config.BASE_URL}/share/${token}`, expiresAt };
  });
}
