import { ConnectionError } from "@mooring/sdk";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";

export function MissingPage() {
  return (
    <Empty title="There is no such page.">
      <a className="button" href="/console/">
        Go to the overview
      </a>
    </Empty>
  );
}

/** A page whose code or session could not be read, or that failed: the route is loaded again. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => {
    if (!(error instanceof ConnectionError)) return;
    const retry = () => void router.invalidate();
    globalThis.addEventListener("online", retry);
    return () => globalThis.removeEventListener("online", retry);
  }, [error, router]);
  return (
    <div className="stack">
      <PageHeading>This page could not be shown</PageHeading>
      <Problem error={error} onRetry={() => router.invalidate()} />
    </div>
  );
}

export function WaitingPage() {
  return <Loading lines={8} label="Loading the page" />;
}
