import type { Delivery } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { Pager } from "../ui/pager.tsx";
import { Badge, Empty, Loading, Problem, type Tone } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import type { DeliverySearch, DeliveryStatus } from "./delivery-search.ts";
import { deliveriesQuery } from "./webhook-queries.ts";

interface Props {
  readonly search: DeliverySearch;
  readonly onPage?: (cursor: string | undefined) => void;
  readonly hasKeys?: boolean;
}

/** Deliveries with their last attempt, newest first. */
export function DeliveryTable({ search, onPage, hasKeys = true }: Props) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(deliveriesQuery(workspace, search));
  if (isPending) return <Loading label="Loading the deliveries" />;
  if (error) {
    return (
      <div className="body">
        <Problem error={error} onRetry={refetch} />
      </div>
    );
  }
  if (data.data.length === 0) return <Empty title="No delivery matches." />;
  const open = ({ id }: Delivery) =>
    void navigate({
      to: "/$environment/webhooks/deliveries/$id",
      params: { environment: workspace.environment, id },
    });
  return (
    <>
      <DataTable
        label="Deliveries"
        rows={data.data}
        columns={columns}
        rowId={({ id }) => id}
        onOpen={open}
        hasKeys={hasKeys}
      />
      {onPage === undefined ? null : (
        <Pager
          cursor={search.cursor}
          nextCursor={data.next_cursor}
          onChange={onPage}
          count={data.data.length}
          noun="deliveries"
        />
      )}
    </>
  );
}

const columns: readonly Column<Delivery>[] = [
  { id: "event", header: "Event", isTitle: true, cell: (row) => <DeliveryLink delivery={row} /> },
  { id: "status", header: "Status", cell: ({ status }) => <DeliveryBadge status={status} /> },
  { id: "answer", header: "Last answer", cell: (row) => <LastAnswer delivery={row} /> },
  { id: "attempts", header: "Attempts", isNumber: true, cell: ({ attempts }) => attempts.length },
  {
    id: "next",
    header: "Next attempt",
    cell: ({ next_attempt_at }) => (next_attempt_at === null ? "–" : <Ago at={next_attempt_at} />),
  },
  { id: "created", header: "Created", cell: ({ created_at }) => <Ago at={created_at} /> },
];

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
  if (last === undefined) return <span className="muted">–</span>;
  return (
    <span>
      {last.status_code ?? last.error ?? "no answer"}{" "}
      <span className="muted">{last.latency_ms} ms</span>
    </span>
  );
}
