import type { AuditEntry } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { words } from "../domains/state-text.ts";
import type { Column } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { auditQuery } from "./account-queries.ts";
import { type AuditSearch, actorKinds } from "./audit-search.ts";
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
  const { cursor: _page, action, object, id, actor, by } = search;
  const ofObject = object === undefined || id === undefined ? {} : { object, id };
  const ofActor = actor === undefined || by === undefined ? {} : { actor, by };
  const ofAction = action === undefined ? {} : { action };
  return (
    <div className="filters">
      <FilterText
        label="Action, such as api_key.create"
        value={action ?? ""}
        onChange={(text) =>
          onChange({ ...ofObject, ...ofActor, ...(text === "" ? {} : { action: text }) })
        }
      />
      {object === undefined ? null : (
        <Chip
          text={`${words(object)} ${id}`}
          onRemove={() => onChange({ ...ofAction, ...ofActor })}
        />
      )}
      {actor === undefined ? null : (
        <Chip
          text={`${words(actor)} ${by}`}
          onRemove={() => onChange({ ...ofAction, ...ofObject })}
        />
      )}
    </div>
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

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Filters when the person leaves it or presses Enter. */
function FilterText({ label, value, onChange }: TextProps) {
  const [text, setText] = useState(value);
  const apply = () => (text.trim() === value ? undefined : onChange(text.trim()));
  return (
    <input
      className="input filter-text"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => (event.key === "Enter" ? apply() : undefined)}
    />
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
    cell: ({ object, object_id }) => (
      <span className="breakable">
        <ObjectLink object={object} id={object_id} />
        <code className="sub">{object_id}</code>
      </span>
    ),
  },
  { id: "address", header: "From", cell: ({ address }) => address ?? "–" },
  { id: "at", header: "When", cell: ({ at }) => <Ago at={at} /> },
];

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
          {entry.object} <code>{entry.object_id}</code>
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
