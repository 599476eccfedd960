import type { ListedConnection } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { connectionsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Pager } from "../ui/pager.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { domainColumns } from "./domain-columns.tsx";
import { DomainFilters } from "./domain-filters.tsx";
import type { DomainSearch } from "./domain-search.ts";
import { NewDomainButton } from "./new-domain.tsx";
import { ViewTabs } from "./view-tabs.tsx";

const route = "/$environment/domains";

export function DomainsPage() {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const { environment } = useWorkspace();
  const setSearch = (next: DomainSearch) => void navigate({ search: next });
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Domains</PageHeading>
        <NewDomainButton />
      </header>
      <ViewTabs search={search} />
      <section className="panel" aria-label="Domains">
        <DomainFilters search={search} onChange={setSearch} />
        <DomainRows
          key={environment}
          search={search}
          onPage={(cursor) => setSearch(withCursor(search, cursor))}
        />
      </section>
    </div>
  );
}

function withCursor({ cursor: _old, ...search }: DomainSearch, cursor: string | undefined) {
  return cursor === undefined ? search : { ...search, cursor };
}

interface RowsProps {
  readonly search: DomainSearch;
  readonly onPage: (cursor: string | undefined) => void;
}

function DomainRows({ search, onPage }: RowsProps) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, isPending, refetch } = useQuery(connectionsQuery(workspace, search));
  const names = useMemo(
    () => new Map(data?.data.map(({ id, hostname }) => [id, hostname] as const)),
    [data],
  );
  if (isPending) return <Loading lines={9} label="Loading domains" />;
  if (error) {
    return (
      <div className="body">
        <Problem error={error} onRetry={refetch} />
      </div>
    );
  }
  if (data.data.length === 0) return <NoDomains isFiltered={Object.keys(search).length > 0} />;
  const open = ({ id }: ListedConnection) =>
    void navigate({
      to: "/$environment/domains/$id",
      params: { environment: workspace.environment, id },
    });
  const shown = new Set([...selected].filter((id) => names.has(id)));
  return (
    <>
      <BulkActions names={names} selected={shown} onDone={() => setSelected(new Set())} />
      <DataTable
        label="Domains"
        rows={data.data}
        columns={domainColumns}
        rowId={({ id }) => id}
        onOpen={open}
        selection={{ ids: shown, onChange: setSelected, name: (id) => names.get(id) ?? id }}
      />
      <Pager
        cursor={search.cursor}
        nextCursor={data.next_cursor}
        onChange={onPage}
        count={data.data.length}
        noun="domains"
      />
    </>
  );
}

function NoDomains({ isFiltered }: { readonly isFiltered: boolean }) {
  const { environment } = useWorkspace();
  if (isFiltered) {
    return (
      <Empty title="No domain matches these filters.">
        <Link className="button" to="/$environment/domains" params={{ environment }} search={{}}>
          Clear the filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="No domains yet.">
      <p>
        A domain appears here as soon as a customer enters it in the widget, your backend creates a
        connection, or you add one by hand.
      </p>
      <a className="button" href="/docs/" target="_blank" rel="noreferrer">
        Read how to connect the first one
      </a>
    </Empty>
  );
}
