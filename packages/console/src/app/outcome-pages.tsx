import type { ErrorComponentProps } from "@tanstack/react-router";
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

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return <Problem error={error} onRetry={reset} />;
}

export function WaitingPage() {
  return <Loading lines={8} label="Loading the page" />;
}
