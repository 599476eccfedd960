import type { OperatorEdge, OperatorProvider, OperatorQueue } from "@mooring/sdk";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { Badge } from "../ui/status.tsx";
import { Ago, shortDuration } from "../ui/time.tsx";

/** An edge reports every half minute; one that was silent for three reports is in doubt. */
const silentMs = 90_000;

const edgeColumns: readonly Column<OperatorEdge>[] = [
  {
    id: "address",
    header: "Address",
    isTitle: true,
    cell: ({ address }) => <code className="breakable">{address}</code>,
  },
  {
    id: "seen",
    header: "Last seen",
    cell: ({ last_seen_at }) => (
      <span className="row">
        {Date.now() - Date.parse(last_seen_at) > silentMs ? (
          <Badge tone="bad">Silent</Badge>
        ) : (
          <Badge tone="good">Serving</Badge>
        )}
        <Ago at={last_seen_at} />
      </span>
    ),
  },
  { id: "version", header: "Version", cell: ({ version }) => version },
  {
    id: "certificates",
    header: "Names",
    isNumber: true,
    cell: ({ certificates }) => certificates.toLocaleString(),
  },
  { id: "started", header: "Started", cell: ({ started_at }) => <Ago at={started_at} /> },
];

export function EdgeTable({ edges }: { readonly edges: readonly OperatorEdge[] }) {
  return <DataTable label="Edges" rows={edges} columns={edgeColumns} rowId={({ id }) => id} />;
}

/** Work that is due for longer than this has too few workers, or one that is stuck. */
const lateSeconds = 60;

const works: Readonly<Record<string, string>> = {
  connections: "Checks of domains",
  deliveries: "Webhook deliveries",
  certificates: "Certificates",
  registrations: "Registrations of domains",
};

const queueColumns: readonly Column<OperatorQueue>[] = [
  { id: "work", header: "Work", isTitle: true, cell: ({ work }) => works[work] ?? work },
  {
    id: "waiting",
    header: "Due",
    isNumber: true,
    cell: ({ waiting }) => waiting.toLocaleString(),
  },
  {
    id: "oldest",
    header: "Oldest waits for",
    cell: ({ waiting, oldest_s }) =>
      waiting === 0 ? (
        "–"
      ) : (
        <Badge tone={oldest_s > lateSeconds ? "bad" : "good"}>{shortDuration(oldest_s)}</Badge>
      ),
  },
  {
    id: "parked",
    header: "Parked",
    cell: ({ parked }) =>
      parked === 0 ? (
        "–"
      ) : (
        <Badge tone="bad">
          {parked.toLocaleString()}: see <code>mooring parked</code>
        </Badge>
      ),
  },
];

export function QueueTable({ queues }: { readonly queues: readonly OperatorQueue[] }) {
  return (
    <DataTable
      label="Queues"
      rows={queues}
      columns={queueColumns}
      rowId={({ work }) => work}
      hasKeys={false}
    />
  );
}

const providerColumns: readonly Column<OperatorProvider>[] = [
  { id: "provider", header: "Provider", isTitle: true, cell: ({ provider }) => provider },
  {
    id: "health",
    header: "Health",
    cell: ({ failing, affected }) =>
      failing + affected === 0 ? (
        <Badge tone="good">Well</Badge>
      ) : (
        <Badge tone="bad">In trouble</Badge>
      ),
  },
  {
    id: "credentials",
    header: "Credentials",
    isNumber: true,
    cell: ({ credentials }) => credentials.toLocaleString(),
  },
  {
    id: "failing",
    header: "Stopped working",
    isNumber: true,
    cell: ({ failing }) => failing.toLocaleString(),
  },
  {
    id: "affected",
    header: "Domains affected",
    isNumber: true,
    cell: ({ affected }) => affected.toLocaleString(),
  },
];

export function ProviderTable({ providers }: { readonly providers: readonly OperatorProvider[] }) {
  return (
    <DataTable
      label="DNS providers"
      rows={providers}
      columns={providerColumns}
      rowId={({ provider }) => provider}
      hasKeys={false}
    />
  );
}
