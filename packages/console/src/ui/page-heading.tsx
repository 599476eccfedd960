/** The heading of a page, which is also the title of its tab. */
export function PageHeading({ children }: { readonly children: string }) {
  return (
    <>
      <title>{`${children} · Mooring`}</title>
      <h1>{children}</h1>
    </>
  );
}
