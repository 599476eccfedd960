import type { Customer, Page, WebhookEvent } from "@mooring/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { connectionsQuery, customerEventsQuery, customersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Customer as CustomerLink, domainColumns } from "../domains/domain-columns.tsx";
import { Copy } from "../ui/copy.tsx";
import type { Column } from "../ui/data-table.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Empty } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { StatusPage } from "./status-page.tsx";
import "../styles/filters.css";

const route = "/$environment/customers";

/** The customers, by the tenant's own id; of one all its domains and events. */
export function CustomersPage() {
  const { ref } = useSearch({ from: route });
  return (
    <div className="stack">
      <header className="page-head">
        <div>
          <PageHeading>Customers</PageHeading>
          <p>By the id that your product gives them (customer_ref).</p>
        </div>
      </header>
      {ref === undefined ? <CustomerList /> : <CustomerView reference={ref} />}
    </div>
  );
}

/** Everybody who has a domain, by the tenant's own id. */
function CustomerList() {
  const { q = "", cursor } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const query = useQuery(customersQuery(useWorkspace(), { q, cursor }));
  return (
    <ListPanel
      label="Customers"
      header={
        <div className="filters">
          <SearchBox
            label="Search by a part of the id"
            text={q}
            onSearch={(next) => void navigate({ search: next === "" ? {} : { q: next } })}
          />
        </div>
      }
      query={{ ...query, data: query.data && withIds(query.data) }}
      loading="Loading the customers"
      loadingLines={8}
      columns={customerColumns}
      empty={
        q === "" ? (
          <Empty title="No customer yet.">
            <p>
              A customer appears with the first domain that is made with a customer_ref: your
              backend names it when it mints a widget token or creates a connection.
            </p>
          </Empty>
        ) : (
          <Empty title="No customer matches." />
        )
      }
      onOpen={({ customer_ref }) => void navigate({ search: { ref: customer_ref } })}
      paging={{
        cursor,
        onChange: (next) =>
          void navigate({
            search: { ...(q === "" ? {} : { q }), ...(next === undefined ? {} : { cursor: next }) },
          }),
        noun: "customers",
      }}
    />
  );
}

type CustomerEntry = Customer & { readonly id: string };

function withIds(page: Page<Customer>): Page<CustomerEntry> {
  return { ...page, data: page.data.map((row) => ({ ...row, id: row.customer_ref })) };
}

const customerColumns: readonly Column<CustomerEntry>[] = [
  {
    id: "customer",
    header: "Customer",
    isTitle: true,
    cell: ({ customer_ref }) => <CustomerLink reference={customer_ref} />,
  },
  {
    id: "domains",
    header: "Domains",
    isNumber: true,
    cell: ({ connections }) => countText(connections),
  },
  { id: "live", header: "Live", isNumber: true, cell: ({ live }) => countText(live) },
  { id: "stuck", header: "Stuck", isNumber: true, cell: ({ stuck }) => countText(stuck) },
  { id: "newest", header: "Newest domain", cell: ({ newest_at }) => <Ago at={newest_at} /> },
];

/** The service counts no more than a thousand. */
function countText(count: number): string {
  return count >= 1_000 ? "1,000+" : String(count);
}

function CustomerView({ reference }: { readonly reference: string }) {
  const workspace = useWorkspace();
  const { environment } = workspace;
  const navigate = useNavigate();
  const query = useQuery(connectionsQuery(workspace, { customer: reference }));
  return (
    <>
      <nav aria-label="Breadcrumb">
        <Link to={route} params={{ environment }} search={{}}>
          Customers
        </Link>
      </nav>
      <div className="spread">
        <h2 className="breakable">
          <Copy text={reference} label="the customer's id">
            <span>{reference}</span>
          </Copy>
        </h2>
        <StatusPage reference={reference} domains={query.data?.data ?? []} />
      </div>
      <ListPanel
        label="Domains of the customer"
        header={
          <header>
            <h2>Domains</h2>
          </header>
        }
        query={query}
        loading="Loading the customer's domains"
        columns={columns}
        empty={<Empty title="This customer has no domain here." />}
        onOpen={({ id }) =>
          void navigate({ to: "/$environment/domains/$id", params: { environment, id } })
        }
      />
      <CustomerEvents reference={reference} />
    </>
  );
}

const columns = domainColumns.filter(({ id }) => id !== "customer");

function CustomerEvents({ reference }: { readonly reference: string }) {
  const query = useInfiniteQuery(customerEventsQuery(useWorkspace(), reference));
  const { data, hasNextPage, fetchNextPage } = query;
  const events = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  return (
    <ListPanel
      label="Events of the customer"
      header={
        <header>
          <h2>Events</h2>
          <p>of the last 30 days</p>
        </header>
      }
      query={{ ...query, data: events }}
      loading="Loading the events"
      columns={eventColumns}
      empty={<Empty title="No event." />}
      hasKeys={false}
    >
      {hasNextPage ? (
        <footer>
          <button type="button" className="button small" onClick={() => void fetchNextPage()}>
            Show older
          </button>
        </footer>
      ) : null}
    </ListPanel>
  );
}

const eventColumns: readonly Column<WebhookEvent>[] = [
  { id: "type", header: "Event", isTitle: true, cell: ({ type }) => <code>{type}</code> },
  {
    id: "domain",
    header: "Domain",
    cell: ({ data }) => <span className="breakable">{data.connection?.hostname ?? "–"}</span>,
  },
  { id: "at", header: "When", cell: ({ created_at }) => <Ago at={created_at} /> },
];
