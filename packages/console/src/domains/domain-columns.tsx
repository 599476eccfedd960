import type { ListedConnection } from "@mooring/sdk";
import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import type { Column } from "../ui/data-table.tsx";
import { None } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { StateWithAge } from "./state.tsx";
import { actorLabel } from "./state-text.ts";

export const domainColumns: readonly Column<ListedConnection>[] = [
  {
    id: "hostname",
    header: "Domain",
    isTitle: true,
    cell: (row) => <DomainLink connection={row} />,
  },
  { id: "state", header: "State", cell: (row) => <StateWithAge connection={row} /> },
  { id: "finding", header: "First finding", cell: (row) => <FirstFinding connection={row} /> },
  { id: "customer", header: "Customer", cell: (row) => <Customer reference={row.customer_ref} /> },
  { id: "provider", header: "Provider", cell: ({ provider }) => provider ?? <None /> },
  {
    id: "registration",
    header: "Registration ends",
    cell: ({ registration_ends_at: at }) => (at === null ? <None /> : <Ago at={at} />),
  },
  {
    id: "next",
    header: "Next check",
    cell: ({ next_check_at }) => (next_check_at === null ? <None /> : <Ago at={next_check_at} />),
  },
];

function DomainLink({ connection }: { readonly connection: ListedConnection }) {
  const { environment } = useWorkspace();
  return (
    <Link
      className="main"
      to="/$environment/domains/$id"
      params={{ environment, id: connection.id }}
    >
      {connection.hostname}
    </Link>
  );
}

/** What the page of the domain says too; none where a diagnosis has found nothing wrong. */
function FirstFinding({ connection: { summary } }: { readonly connection: ListedConnection }) {
  if (summary === null) return <None />;
  return (
    <span className="finding">
      {summary.title}
      <span className="sub">{actorLabel(summary.actor)}</span>
    </span>
  );
}

export function Customer({ reference }: { readonly reference: string | null }) {
  const { environment } = useWorkspace();
  if (reference === null) return <None />;
  return (
    <Link
      className="breakable"
      to="/$environment/customers"
      params={{ environment }}
      search={{ ref: reference }}
    >
      {reference}
    </Link>
  );
}
