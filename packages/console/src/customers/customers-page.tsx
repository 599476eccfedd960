import type { WebhookEvent } from "@mooring/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useMemo, useState } from "react";
import { connectionsQuery, customerEventsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { domainColumns } from "../domains/domain-columns.tsx";
import { Copy } from "../ui/copy.tsx";
import type { Column } from "../ui/data-table.tsx";
import { TextField } from "../ui/field.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";

const route = "/$environment/customers";

/** One customer, by the tenant's own id: all its domains and events. */
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
      <FindCustomer key={ref} reference={ref ?? ""} />
      {ref === undefined ? (
        <Empty title="Enter a customer's id.">
          <p>To find a customer by a part of it, search in the domains: the search has both.</p>
        </Empty>
      ) : (
        <CustomerView reference={ref} />
      )}
    </div>
  );
}

function FindCustomer({ reference }: { readonly reference: string }) {
  const navigate = useNavigate({ from: route });
  const [text, setText] = useState(reference);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ search: text === "" ? {} : { ref: text } });
  };
  return (
    <search>
      <form className="row" onSubmit={submit}>
        <TextField label="Customer's id" value={text} onChange={setText} />
        <button type="submit" className="button primary" disabled={text === ""}>
          Show
        </button>
      </form>
    </search>
  );
}

function CustomerView({ reference }: { readonly reference: string }) {
  const workspace = useWorkspace();
  const { environment } = workspace;
  const navigate = useNavigate();
  const query = useQuery(connectionsQuery(workspace, { customer: reference }));
  return (
    <>
      <h2 className="breakable">
        <Copy text={reference} label="the customer's id">
          <span>{reference}</span>
        </Copy>
      </h2>
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
