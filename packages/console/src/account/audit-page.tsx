import type { AuditEntry } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { words } from "../domains/state-text.ts";
import { Choice } from "../ui/choice.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FilterText } from "../ui/filter-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { auditQuery } from "./account-queries.ts";
import { type AuditSearch, actorKinds, readAuditSearch } from "./audit-search.ts";
import "../styles/filters.css";
import "../webhooks/webhooks.css";

const route = "/$environment/audit";

/** Who changed what, and when. */
export function AuditPage() {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const setSearch = (next: AuditSearch) => void navigate({ search: next });
  return (
    <div className="stack">
      <PageHeading>Audit</PageHeading>
      <AuditPanel search={search} onChange={setSearch} />
    </div>
  );
}

interface Props {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

function AuditFilters({ search, onChange }: Props) {
  const set = (change: Partial<Record<keyof AuditSearch, string | undefined>>) =>
    onChange(readAuditSearch({ ...search, cursor: undefined, ...change }));
  const { action, object, id, actor, by, who, from, to } = search;
  return (
    <div className="filters">
      <FilterText
        label="Action, such as api_key.create"
        value={action ?? ""}
        onChange={(text) => set({ action: text })}
      />
      <Choice
        label="Who"
        value={who ?? ""}
        options={[
          ["", "People only"],
          ["all", "Keys and the service, too"],
        ]}
        onChange={(next) => set({ who: next })}
      />
      <DayField label="From" value={from} onChange={(day) => set({ from: day })} />
      <DayField label="Until" value={to} onChange={(day) => set({ to: day })} />
      {object === undefined ? null : (
        <Chip
          text={`${words(object)} ${id}`}
          onRemove={() => set({ object: undefined, id: undefined })}
        />
      )}
      {actor === undefined ? null : (
        <Chip
          text={`${words(actor)} ${by}`}
          onRemove={() => set({ actor: undefined, by: undefined })}
        />
      )}
    </div>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string) => void;
}

function DayField({ label, value = "", onChange }: DayProps) {
  return (
    <label className="row">
      <span className="muted">{label}</span>
      <input
        className="input filter-day"
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <button
      type="button"
      className="button small chip"
      aria-label={`Remove the filter ${text}`}
      onClick={onRemove}
    >
      <span>{text}</span> <Icon name="cross" />
    </button>
  );
}

function AuditPanel({ search, onChange }: Props) {
  const query = useQuery(auditQuery(useWorkspace(), search));
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const setCursor = (cursor: string | undefined) => {
    const { cursor: _old, ...rest } = search;
    onChange(cursor === undefined ? rest : { ...rest, cursor });
  };
  return (
    <ListPanel
      label="Audit"
      header={<AuditFilters search={search} onChange={onChange} />}
      query={query}
      loading="Loading the audit log"
      loadingLines={8}
      columns={columns}
      empty={<Empty title="Nothing matches." />}
      onOpen={setShown}
      paging={{ cursor: search.cursor, onChange: setCursor, noun: "entries" }}
    >
      <Dialog
        title={shown?.action ?? ""}
        isOpen={shown !== null}
        onClose={() => setShown(null)}
        isWide
      >
        {shown === null ? null : <Entry entry={shown} />}
      </Dialog>
    </ListPanel>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { id: "action", header: "Action", isTitle: true, cell: ({ action }) => <code>{action}</code> },
  {
    id: "actor",
    header: "Who",
    cell: ({ actor }) => (
      <span className="breakable">
        <ActorLink actor={actor} />
        <span className="sub">{actor.kind}</span>
      </span>
    ),
  },
  {
    id: "object",
    header: "What",
    cell: ({ object, object_id, object_name }) => (
      <span className="breakable">
        <ObjectLink object={object} id={object_id} />
        <span className="sub">{object_name ?? object_id}</span>
      </span>
    ),
  },
  { id: "change", header: "Change", cell: ({ details }) => <Change details={details} /> },
  { id: "address", header: "From", cell: ({ address }) => address ?? "–" },
  { id: "at", header: "When", cell: ({ at }) => <Ago at={at} /> },
];

/** `viewer → admin`, or which fields were changed. */
function Change({ details }: Pick<AuditEntry, "details">) {
  const { from, to, changed } = details;
  if (isPlain(from) && isPlain(to)) {
    return (
      <span className="breakable">
        {String(from)} → {String(to)}
      </span>
    );
  }
  const names = Array.isArray(changed) ? changed.filter((one) => typeof one === "string") : [];
  return <span className="breakable">{names.length === 0 ? "–" : names.join(", ")}</span>;
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function ActorLink({ actor }: { readonly actor: AuditEntry["actor"] }) {
  const { environment } = useWorkspace();
  const kind = actorKinds.find((one) => one === actor.kind);
  const name = actor.name ?? words(actor.kind);
  if (kind === undefined || actor.id === null) return name;
  return (
    <Link to={route} params={{ environment }} search={{ actor: kind, by: actor.id }}>
      {name}
    </Link>
  );
}

function ObjectLink({ object, id }: { readonly object: string; readonly id: string }) {
  const { environment } = useWorkspace();
  return (
    <Link to={route} params={{ environment }} search={{ object, id }}>
      {words(object)}
    </Link>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  return (
    <>
      <dl className="facts">
        <dt>When</dt>
        <dd>
          <At at={entry.at} />
        </dd>
        <dt>Who</dt>
        <dd>
          {entry.actor.name ?? ""} {entry.actor.kind} {entry.actor.id}
        </dd>
        <dt>What</dt>
        <dd>
          {words(entry.object)} {entry.object_name ?? ""} <code>{entry.object_id}</code>
        </dd>
        <dt>Request</dt>
        <dd>
          <code>{entry.request_id ?? "–"}</code>
        </dd>
      </dl>
      <pre className="payload">{JSON.stringify(entry.details, null, 2)}</pre>
    </>
  );
}
