import { selectCertificate } from "../../db/certificates.ts";
import type { Certificate } from "../../domain/certificate.ts";
import type { Connection } from "../../domain/connection.ts";
import type { ServiceContext } from "../context.ts";
import { requireConnection } from "./access.ts";

export interface ConnectionDetail {
  readonly connection: Connection;
  readonly certificate: Certificate | null;
}

export function getConnection(ctx: ServiceContext, id: string): Promise<ConnectionDetail> {
  return ctx.read(async (tx) => {
    const connection = await requireConnection(ctx, tx, id);
    return { connection, certificate: await selectCertificate(tx, connection) };
  });
}
