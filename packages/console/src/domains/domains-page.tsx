import type { ListedConnection } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { connectionsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty } from "../ui/status.tsx";
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
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Domains</PageHeading>
        <NewDomainButton />
      </header>
      <ViewTabs search={search} />
      <DomainPanel
        key={environment}
        search={search}
        onChange={(next) => void navigate({ search: next })}
      />
    </div>
  );
}

function withCursor({ cursor: _old, ...search }: DomainSearch, cursor: string | undefined) {
  return cursor === undefined ? search : { ...search, cursor };
}

interface PanelProps {
  readonly search: DomainSearch;
  readonly onChange: (search: DomainSearch) => void;
}

function DomainPanel({ search, onChange }: PanelProps) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery(connectionsQuery(workspace, search));
  const names = useMemo(
    () => new Map(query.data?.data.map(({ id, hostname }) => [id, hostname] as const)),
    [query.data],
  );
  const open = ({ id }: ListedConnection) =>
    void navigate({
      to: "/$environment/domains/$id",
      params: { environment: workspace.environment, id },
    });
  const setCursor = (cursor: string | undefined) => onChange(withCursor(search, cursor));
  const shown = new Set([...selected].filter((id) => names.has(id)));
  return (
    <ListPanel
      label="Domains"
      header={<DomainFilters search={search} onChange={onChange} />}
      query={query}
      loading="Loading domains"
      loadingLines={9}
      columns={domainColumns}
      empty={<NoDomains isFiltered={Object.keys(search).length > 0} />}
      actions={<BulkActions names={names} selected={shown} onDone={() => setSelected(new Set())} />}
      onOpen={open}
      selection={{ ids: shown, onChange: setSelected, name: (id) => names.get(id) ?? id }}
      paging={{ cursor: search.cursor, onChange: setCursor, noun: "domains" }}
    />
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
