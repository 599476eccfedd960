import type { OperatorTenant } from "@mooring/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Copy } from "../ui/copy.tsx";
import type { Column } from "../ui/data-table.tsx";
import { TextField } from "../ui/field.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Badge, Empty } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { tenantsQuery, useOperatorApi } from "./operator-queries.ts";

const route = "/operator/tenants";

/** Who uses the installation, on which plan, and how much. */
export function TenantsPage() {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const api = useOperatorApi();
  const query = useQuery({ ...tenantsQuery(api, search), placeholderData: keepPreviousData });
  const setCursor = (cursor: string | undefined) => {
    const { cursor: _old, ...rest } = search;
    void navigate({ search: cursor === undefined ? rest : { ...rest, cursor } });
  };
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
      <div className="tenants">
        <ListPanel
          label="Tenants"
          query={query}
          loading="Loading the tenants"
          columns={columns}
          empty={<Empty title="No tenant has such a name." />}
          paging={{ cursor: search.cursor, onChange: setCursor, noun: "tenants" }}
        />
      </div>
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

/** The operator changes it at the command line: `mooring tenants suspend`, `resume`, `delete`. */
function State({ tenant }: { readonly tenant: OperatorTenant }) {
  const { state, suspended_reason, removed_after } = tenant;
  if (state === "active") return <Badge tone="good">Active</Badge>;
  return (
    <div className="stack-tight">
      <div>
        {state === "suspended" ? (
          <Badge tone="wait">Suspended</Badge>
        ) : (
          <Badge tone="bad">Being deleted</Badge>
        )}
      </div>
      {suspended_reason === null ? null : (
        <span className="muted breakable">{suspended_reason}</span>
      )}
      {removed_after === null ? null : (
        <span className="muted">
          Removed after <At at={removed_after} />
        </span>
      )}
    </div>
  );
}

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
  { id: "state", header: "State", cell: (tenant) => <State tenant={tenant} /> },
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
