import type { Delivery, ListedDelivery } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import type { Column } from "../ui/data-table.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { Badge, Empty, None, type Tone } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import type { DeliverySearch, DeliveryStatus } from "./delivery-search.ts";
import { deliveriesQuery } from "./webhook-queries.ts";

interface Props {
  readonly search: DeliverySearch;
  /** Filters or a heading. */
  readonly header: ReactNode;
  /** For all pages; without it the newest are shown. */
  readonly onPage?: (cursor: string | undefined) => void;
}

/** Deliveries with their last attempt, newest first. */
export function DeliveryPanel({ search, header, onPage }: Props) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const query = useQuery(deliveriesQuery(workspace, search));
  const open = ({ id }: Delivery) =>
    void navigate({
      to: "/$environment/webhooks/deliveries/$id",
      params: { environment: workspace.environment, id },
    });
  const paging =
    onPage === undefined
      ? {}
      : { paging: { cursor: search.cursor, onChange: onPage, noun: "deliveries" } };
  return (
    <ListPanel
      label="Deliveries"
      header={header}
      query={query}
      loading="Loading the deliveries"
      columns={columns}
      empty={<Empty title="No delivery matches." />}
      onOpen={open}
      {...paging}
    />
  );
}

const columns: readonly Column<ListedDelivery>[] = [
  { id: "event", header: "Event", isTitle: true, cell: (row) => <DeliveryLink delivery={row} /> },
  { id: "domain", header: "Domain", cell: (row) => <DomainOf delivery={row} /> },
  { id: "status", header: "Status", cell: ({ status }) => <DeliveryBadge status={status} /> },
  { id: "answer", header: "Last answer", cell: (row) => <LastAnswer delivery={row} /> },
  { id: "attempts", header: "Attempts", isNumber: true, cell: ({ attempts }) => attempts.length },
  {
    id: "next",
    header: "Next attempt",
    cell: ({ next_attempt_at }) =>
      next_attempt_at === null ? <None /> : <Ago at={next_attempt_at} />,
  },
  { id: "created", header: "Created", cell: ({ created_at }) => <Ago at={created_at} /> },
];

function DomainOf({ delivery }: { readonly delivery: ListedDelivery }) {
  const { environment } = useWorkspace();
  const { connection_id: id, hostname } = delivery;
  if (id === null || hostname === null) return <None />;
  return (
    <Link className="breakable" to="/$environment/domains/$id" params={{ environment, id }}>
      {hostname}
    </Link>
  );
}

function DeliveryLink({ delivery }: { readonly delivery: Delivery }) {
  const { environment } = useWorkspace();
  return (
    <Link
      className="main"
      to="/$environment/webhooks/deliveries/$id"
      params={{ environment, id: delivery.id }}
    >
      {delivery.event_type}
    </Link>
  );
}

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: "info",
  delivered: "good",
  failed: "wait",
  exhausted: "bad",
};
const labels: Readonly<Record<DeliveryStatus, string>> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed, retried",
  exhausted: "Given up",
};

export function DeliveryBadge({ status }: { readonly status: DeliveryStatus }) {
  return <Badge tone={tones[status]}>{labels[status]}</Badge>;
}

function LastAnswer({ delivery: { attempts } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  if (last === undefined) return <None />;
  return (
    <span>
      {last.status_code ?? last.error ?? "no answer"}{" "}
      <span className="muted">{last.latency_ms} ms</span>
    </span>
  );
}
