import type { ConnectionSummary } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { endpointsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { shortDuration } from "../ui/time.tsx";
import { deliveriesQuery } from "../webhooks/webhook-queries.ts";

/** How long domains take, and whether certificates and webhooks are well. */
export function Health({ summary }: { readonly summary: ConnectionSummary }) {
  const { median_s, p95_s } = summary.time_to_live;
  const expiring = summary.certificates_expiring;
  return (
    <section className="panel" aria-label="Health">
      <header>
        <h2>Health</h2>
      </header>
      <dl className="facts body">
        <dt>Time to live, median</dt>
        <dd>{median_s === null ? "–" : shortDuration(median_s)}</dd>
        <dt>95 % within</dt>
        <dd>{p95_s === null ? "–" : shortDuration(p95_s)}</dd>
        <dt>Certificates</dt>
        <dd>{expiring === 0 ? "None ends within 14 days" : `${expiring} end within 14 days`}</dd>
        <dt>Webhooks</dt>
        <dd>
          <WebhookHealth />
        </dd>
      </dl>
    </section>
  );
}

function WebhookHealth() {
  const workspace = useWorkspace();
  const { environment } = workspace;
  const { data: endpoints } = useQuery(endpointsQuery(workspace));
  const { data: failed } = useQuery(deliveriesQuery(workspace, { status: "failed" }));
  if (endpoints === undefined || failed === undefined) return "…";
  const off = endpoints.filter(({ active }) => !active).length;
  const count = `${failed.data.length}${failed.next_cursor === null ? "" : "+"}`;
  if (endpoints.length === 0) {
    return (
      <Link to="/$environment/webhooks" params={{ environment }}>
        No endpoint yet
      </Link>
    );
  }
  if (off === 0 && failed.data.length === 0) return "All deliveries arrive";
  return (
    <>
      {off === 0 ? null : (
        <Link to="/$environment/webhooks" params={{ environment }}>
          {off} switched off
        </Link>
      )}{" "}
      {failed.data.length === 0 ? null : (
        <Link
          to="/$environment/webhooks/deliveries"
          params={{ environment }}
          search={{ status: "failed" }}
        >
          {count} being retried
        </Link>
      )}
    </>
  );
}
