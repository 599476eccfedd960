import type { OperatorTenant } from "@mooring/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Copy } from "../ui/copy.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { TextField } from "../ui/field.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Pager } from "../ui/pager.tsx";
import { Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { tenantsQuery, useOperatorApi } from "./operator-queries.ts";

const route = "/operator/tenants";

/** Who uses the installation, on which plan, and how much. */
export function TenantsPage() {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const api = useOperatorApi();
  const query = useQuery({ ...tenantsQuery(api, search), placeholderData: keepPreviousData });
  const { data, error, isPending, refetch } = query;
  return (
    <div className="stack">
      <header className="page-head">
        <div>
          <PageHeading>Tenants</PageHeading>
          <p>Usage is of this month, in the live environment.</p>
        </div>
      </header>
      <FindTenant
        key={search.q}
        text={search.q ?? ""}
        onFind={(q) => void navigate({ search: q === "" ? {} : { q } })}
      />
      <section className="panel tenants" aria-label="Tenants">
        {isPending ? <Loading label="Loading the tenants" /> : null}
        {error ? (
          <div className="body">
            <Problem error={error} onRetry={refetch} />
          </div>
        ) : null}
        {data?.data.length === 0 ? <Empty title="No tenant has such a name." /> : null}
        {data === undefined || data.data.length === 0 ? null : (
          <DataTable label="Tenants" rows={data.data} columns={columns} rowId={({ id }) => id} />
        )}
      </section>
      <Pager
        cursor={search.cursor}
        nextCursor={data?.next_cursor ?? null}
        count={data?.data.length ?? 0}
        noun="tenants"
        onChange={(cursor) =>
          void navigate({
            search: {
              ...(search.q === undefined ? {} : { q: search.q }),
              ...(cursor === undefined ? {} : { cursor }),
            },
          })
        }
      />
    </div>
  );
}

function FindTenant(props: { readonly text: string; readonly onFind: (text: string) => void }) {
  const [text, setText] = useState(props.text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onFind(text);
  };
  return (
    <search>
      <form className="row" onSubmit={submit}>
        <TextField label="A part of the name" value={text} onChange={setText} />
        <button type="submit" className="button primary">
          Search
        </button>
      </form>
    </search>
  );
}

const number = (amount: number | undefined) => (amount ?? 0).toLocaleString();

const columns: readonly Column<OperatorTenant>[] = [
  {
    id: "name",
    header: "Tenant",
    isTitle: true,
    cell: ({ id, name }) => (
      <Copy text={id} label={`the id of ${name}`}>
        <strong className="breakable">{name}</strong>
      </Copy>
    ),
  },
  { id: "plan", header: "Plan", cell: ({ plan }) => <Badge tone="neutral">{plan}</Badge> },
  { id: "members", header: "Members", isNumber: true, cell: ({ members }) => number(members) },
  {
    id: "held",
    header: "Domains now",
    isNumber: true,
    cell: ({ held }) => (
      <>
        {number(held["live"])} <span className="muted">+ {number(held["test"])} test</span>
      </>
    ),
  },
  {
    id: "connect",
    header: "Connected",
    isNumber: true,
    cell: ({ usage }) => number(usage["connect"]),
  },
  {
    id: "cert",
    header: "Certificates",
    isNumber: true,
    cell: ({ usage }) => number(usage["cert"]),
  },
  {
    id: "calls",
    header: "API calls",
    isNumber: true,
    cell: ({ usage }) => number(usage["api_call"]),
  },
  { id: "created", header: "Since", cell: ({ created_at }) => <Ago at={created_at} /> },
];
