import { eventTypes } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { endpointsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { searchedText } from "../app/pasted-url.ts";
import { Choice } from "../ui/choice.tsx";
import { FilterText } from "../ui/filter-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { type DeliverySearch, deliveryStatuses } from "./delivery-search.ts";
import { ReplayFilteredButton } from "./replay.tsx";
import { WebhookTabs } from "./webhook-tabs.tsx";
import "../styles/filters.css";

const route = "/$environment/webhooks/deliveries";

export function DeliveriesPage() {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const setSearch = (next: DeliverySearch) => void navigate({ search: next });
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Webhooks</PageHeading>
        <ReplayFilteredButton search={search} />
      </header>
      <WebhookTabs />
      <DeliveryPanel
        search={search}
        header={<DeliveryFilters search={search} onChange={setSearch} />}
        onPage={(cursor) => {
          const { cursor: _old, ...rest } = search;
          setSearch(cursor === undefined ? rest : { ...rest, cursor });
        }}
      />
    </div>
  );
}

interface FilterProps {
  readonly search: DeliverySearch;
  readonly onChange: (search: DeliverySearch) => void;
}

function DeliveryFilters({ search, onChange }: FilterProps) {
  const { data: endpoints = [] } = useQuery(endpointsQuery(useWorkspace()));
  const set = (name: keyof DeliverySearch, value: string) => {
    const { cursor: _page, [name]: _old, ...rest } = search;
    onChange(value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <div className="filters">
      <FilterText
        label="Domain"
        value={search.domain ?? ""}
        onChange={(text) => set("domain", searchedText(text))}
      />
      <Choice
        label="Status"
        value={search.status ?? ""}
        options={[["", "Any status"], ...deliveryStatuses.map((one) => [one, one] as const)]}
        onChange={(status) => set("status", status)}
      />
      <Choice
        label="Endpoint"
        value={search.endpoint ?? ""}
        options={[["", "Any endpoint"], ...endpoints.map(({ id, url }) => [id, url] as const)]}
        onChange={(endpoint) => set("endpoint", endpoint)}
      />
      <Choice
        label="Kind of event"
        value={search.type ?? ""}
        options={[["", "Any event"], ...eventTypes.map((type) => [type, type] as const)]}
        onChange={(type) => set("type", type)}
      />
      {search.connection === undefined ? null : (
        <button type="button" className="button small" onClick={() => set("connection", "")}>
          One domain <Icon name="cross" />
        </button>
      )}
    </div>
  );
}
