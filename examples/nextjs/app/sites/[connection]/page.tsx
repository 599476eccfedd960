import { notFound } from "next/navigation";
import { domains } from "../../../lib/domains";

interface Visit {
  readonly params: Promise<{ readonly connection: string }>;
  readonly searchParams: Promise<{ readonly hostname?: string }>;
}

/** The site of a customer. `proxy.ts` has verified which one it is. */
export default async function Site({ params, searchParams }: Visit) {
  const { connection } = await params;
  const { hostname } = await searchParams;
  const domain = domains.get(connection);
  if (domain === undefined) notFound();
  return <h1>{`${hostname} is the shop of ${domain.customer}`}</h1>;
}
