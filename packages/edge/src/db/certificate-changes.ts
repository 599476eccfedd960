import type { StoredCertificate } from "./certificates.ts";
import type { Queries } from "./queries.ts";

interface CertificateRow {
  readonly hostname: string;
  readonly epoch: string;
  readonly chain: string;
  readonly sealed_key: string;
  readonly not_after: Date;
}

const columns = "hostname, epoch, chain, sealed_key, not_after";
const isServed = "chain is not null and sealed_key is not null and not_after is not null";
/** A row has some kilobytes. */
const pageSize = 500;

/** Every certificate that can be served, page by page. */
export async function* allCertificates(
  queries: Queries,
): AsyncGenerator<readonly StoredCertificate[]> {
  for (let after = ""; ; ) {
    const { rows } = await queries.query<CertificateRow>({
      name: "served_certificates_page",
      text: `select ${columns} from certificates where hostname > $1 and ${isServed}
        order by hostname limit $2`,
      values: [after, pageSize],
    });
    yield rows.map(toCertificate);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.hostname;
  }
}

/** Those of these names that can be served. */
export async function certificatesNamed(
  queries: Queries,
  names: readonly string[],
): Promise<readonly StoredCertificate[]> {
  const { rows } = await queries.query<CertificateRow>({
    name: "served_certificates_named",
    text: `select ${columns} from certificates where hostname = any ($1) and ${isServed}`,
    values: [names],
  });
  return rows.map(toCertificate);
}

export interface CertificateChange {
  readonly id: number;
  readonly hostname: string;
}

/** Changes from an id on. Ids are assigned before commit, so callers read with an overlap. */
export async function certificateChanges(
  queries: Queries,
  fromId: number,
): Promise<readonly CertificateChange[]> {
  const { rows } = await queries.query<{ id: string; hostname: string }>({
    name: "certificate_changes",
    text: "select id, hostname from certificate_changes where id >= $1 order by id",
    values: [fromId],
  });
  return rows.map(({ id, hostname }) => ({ id: Number(id), hostname }));
}

export async function lastCertificateChange(queries: Queries): Promise<number> {
  const { rows } = await queries.query<{ id: string | null }>(
    "select max(id) as id from certificate_changes",
  );
  return Number(rows[0]?.id ?? 0);
}

function toCertificate(row: CertificateRow): StoredCertificate {
  return {
    hostname: row.hostname,
    epoch: Number(row.epoch),
    chain: row.chain,
    sealedKey: row.sealed_key,
    notAfter: row.not_after,
  };
}
