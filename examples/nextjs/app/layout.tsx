import type { ReactNode } from "react";

export const metadata = { title: "Acme Shops" };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
