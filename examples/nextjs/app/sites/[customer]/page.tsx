interface Visit {
  readonly params: Promise<{ readonly customer: string }>;
  readonly searchParams: Promise<{ readonly hostname?: string }>;
}

/** The site of a customer. `proxy.ts` has verified which one it is. */
export default async function Site({ params, searchParams }: Visit) {
  const { customer } = await params;
  const { hostname } = await searchParams;
  return <h1>{`${hostname} is the shop of ${decodeURIComponent(customer)}`}</h1>;
}
