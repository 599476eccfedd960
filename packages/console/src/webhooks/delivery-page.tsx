import type { Delivery } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import { Copy } from "../ui/copy.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { At } from "../ui/time.tsx";
import { DeliveryBadge } from "./delivery-panel.tsx";
import { ReplayOneButton } from "./replay.tsx";
import { deliveryQuery } from "./webhook-queries.ts";
import "./webhooks.css";

/** One delivery: the request, and every attempt with what the receiver answered. */
export function DeliveryPage() {
  const { id } = useParams({ from: "/$environment/webhooks/deliveries/$id" });
  const { environment } = useWorkspace();
  const { data, error, isPending, refetch } = useQuery(deliveryQuery(useWorkspace(), id));
  if (isPending) return <Loading lines={8} label="Loading the delivery" />;
  if (error) return <Problem error={error} onRetry={refetch} />;
  return (
    <div className="stack">
      <nav aria-label="Breadcrumb">
        <Link to="/$environment/webhooks/deliveries" params={{ environment }} search={{}}>
          Deliveries
        </Link>
      </nav>
      <header className="page-head">
        <div>
          <PageHeading>{data.event_type}</PageHeading>
          <p className="row">
            <DeliveryBadge status={data.status} />
            <At at={data.created_at} />
          </p>
        </div>
        <ReplayOneButton delivery={data} />
      </header>
      <Attempts delivery={data} />
      <section className="panel" aria-label="Request">
        <header>
          <h2>Request</h2>
          <Link to="/$environment/webhooks/$id" params={{ environment, id: data.endpoint_id }}>
            Its endpoint
          </Link>
        </header>
        <div className="body stack">
          <p>
            Event <Copy text={data.event_id} label="the event's id" />
          </p>
          <pre className="payload">{JSON.stringify(data.payload, null, 2)}</pre>
        </div>
      </section>
    </div>
  );
}

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const attempts = delivery.attempts.toReversed();
  return (
    <section className="panel" aria-label="Attempts">
      <header>
        <h2>Attempts</h2>
        {delivery.next_attempt_at === null ? null : (
          <p>
            next <At at={delivery.next_attempt_at} />
          </p>
        )}
      </header>
      {attempts.length === 0 ? <Empty title="Not tried yet." /> : null}
      {attempts.map((attempt) => (
        <div key={attempt.at} className="body stack">
          <p className="row">
            <Badge tone={isSuccess(attempt.status_code) ? "good" : "bad"}>
              {attempt.status_code ?? attempt.error ?? "no answer"}
            </Badge>
            <At at={attempt.at} /> <span className="muted">{attempt.latency_ms} ms</span>
          </p>
          {attempt.response_excerpt === null || attempt.response_excerpt === "" ? null : (
            <pre className="payload">{attempt.response_excerpt}</pre>
          )}
        </div>
      ))}
    </section>
  );
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
