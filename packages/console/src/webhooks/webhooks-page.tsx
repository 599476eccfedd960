import type { WebhookEndpoint } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { applicationsQuery, endpointsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import type { Column } from "../ui/data-table.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Badge, Empty } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { NewEndpointButton } from "./new-endpoint.tsx";
import { WebhookTabs } from "./webhook-tabs.tsx";

export function WebhooksPage() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const query = useQuery(endpointsQuery(workspace));
  const open = ({ id }: WebhookEndpoint) =>
    void navigate({
      to: "/$environment/webhooks/$id",
      params: { environment: workspace.environment, id },
    });
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Webhooks</PageHeading>
        <NewEndpointButton />
      </header>
      <WebhookTabs />
      <ListPanel
        label="Endpoints"
        query={query}
        loading="Loading the endpoints"
        columns={columns}
        empty={<NoEndpoints />}
        onOpen={open}
      />
    </div>
  );
}

function NoEndpoints() {
  return (
    <Empty title="No endpoint receives your events yet.">
      <p>
        An endpoint is a URL of your backend. It gets a signed request for every event of your
        domains: verified, live, drifted, certificate at risk and so on.
      </p>
    </Empty>
  );
}

const columns: readonly Column<WebhookEndpoint>[] = [
  { id: "url", header: "URL", isTitle: true, cell: (row) => <EndpointLink endpoint={row} /> },
  { id: "status", header: "Status", cell: (row) => <EndpointBadge endpoint={row} /> },
  {
    id: "events",
    header: "Events",
    cell: ({ events }) => (events.includes("*") ? "All" : `${events.length} kinds`),
  },
  {
    id: "application",
    header: "Application",
    cell: (row) => <ApplicationName id={row.application_id} />,
  },
  { id: "created", header: "Created", cell: ({ created_at }) => <Ago at={created_at} /> },
];

function EndpointLink({ endpoint: { id, url } }: { readonly endpoint: WebhookEndpoint }) {
  const { environment } = useWorkspace();
  return (
    <Link className="main" to="/$environment/webhooks/$id" params={{ environment, id }}>
      {url}
    </Link>
  );
}

export function ApplicationName({ id }: { readonly id: string }) {
  const { data } = useQuery(applicationsQuery(useWorkspace()));
  return <span className="breakable">{data?.find((one) => one.id === id)?.name ?? id}</span>;
}

const reasons = { gone: "it answered 410", failing: "it failed for five days" } as const;

export function EndpointBadge({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { active, disabled_reason } = endpoint;
  if (active) return <Badge tone="good">Active</Badge>;
  return (
    <Badge tone="bad">Off{disabled_reason === null ? "" : `: ${reasons[disabled_reason]}`}</Badge>
  );
}
