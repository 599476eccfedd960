import type { ApiKey, Application } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { words } from "../domains/state-text.ts";
import { ConfirmButton } from "../ui/confirm.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Badge, Empty, Problem } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { keysQuery } from "./application-queries.ts";

interface Props {
  readonly application: Application;
}

/** Live keys are an admin's to make and to revoke, test keys a developer's. */
export function KeysPanel({ application }: Props) {
  const workspace = useWorkspace();
  const query = useQuery(keysQuery(workspace, application.id));
  const canManage = workspace.may(workspace.environment === "live" ? "admin" : "developer");
  return (
    <ListPanel
      label="API keys"
      header={
        <header>
          <h2>API keys</h2>
          {canManage ? <NewKeyButton application={application} /> : null}
        </header>
      }
      query={query}
      loading="Loading the keys"
      columns={canManage ? [...columns, revokeColumn] : columns}
      empty={<Empty title="No key yet." />}
    />
  );
}

const columns: readonly Column<ApiKey>[] = [
  {
    id: "name",
    header: "Name",
    isTitle: true,
    cell: ({ name, last4, environment }) => (
      <span className="breakable">
        {name}
        <code className="sub">
          sk_{environment}_…{last4}
        </code>
      </span>
    ),
  },
  {
    id: "status",
    header: "Status",
    cell: ({ revoked_at }) =>
      revoked_at === null ? (
        <Badge tone="good">Active</Badge>
      ) : (
        <Badge tone="neutral">Revoked</Badge>
      ),
  },
  { id: "scopes", header: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
  {
    id: "used",
    header: "Last used",
    cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <Ago at={last_used_at} />),
  },
  {
    id: "created",
    header: "Created",
    cell: ({ created_at, created_by }) => (
      <span className="breakable">
        <Ago at={created_at} />
        {created_by === null ? null : (
          <span className="sub">by {created_by.name ?? words(created_by.kind).toLowerCase()}</span>
        )}
      </span>
    ),
  },
];

const revokeColumn: Column<ApiKey> = {
  id: "revoke",
  header: "Revoke",
  isTitle: true,
  cell: (row) => <RevokeKey apiKey={row} />,
};

function RevokeKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  if (apiKey.revoked_at !== null) return null;
  const run = async () => {
    await api.keys.revoke(apiKey.application_id, apiKey.id);
    await queryClient.invalidateQueries({ queryKey: [environment, "keys"] });
  };
  return (
    <ConfirmButton
      className="button small danger"
      label="Revoke"
      title={`Revoke ${apiKey.name}?`}
      description="The key, and the widget tokens that it minted, stop working at once."
      action="Revoke"
      run={run}
    />
  );
}

function NewKeyButton({ application }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        <Icon name="plus" /> New key
      </button>
      <Dialog title="New API key" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewKeyForm application={application} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const scopes = [
  ["connections:read", "Read domains, records and usage"],
  ["connections:write", "Connect, check, share and archive domains; mint widget tokens"],
  ["apps:admin", "Applications, keys, credentials, webhook endpoints, plan"],
  ["webhooks:write", "Webhook endpoints and deliveries"],
  ["usage:read", "Usage"],
] as const;

type Scope = (typeof scopes)[number][0];

function NewKeyForm({ application, onDone }: Props & { readonly onDone: () => void }) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes.map(([scope]) => scope));
  const create = useMutation({
    mutationFn: () => api.keys.create(application.id, { name: name.trim(), scopes: [...chosen] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [environment, "keys"] }),
  });
  if (create.data !== undefined) {
    return <SecretOnce title="The key" secret={create.data.secret} onDone={onDone} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField label="Name" value={name} onChange={setName} isRequired />
      {scopes.map(([scope, meaning]) => (
        <label key={scope} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={() =>
              setChosen(
                chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope],
              )
            }
          />
          <span>
            <code>{scope}</code> <span className="muted">{meaning}</span>
          </span>
        </label>
      ))}
      {create.isError ? <Problem error={create.error} /> : null}
      <button
        type="submit"
        className="button primary"
        disabled={create.isPending || name.trim() === "" || chosen.length === 0}
      >
        Create
      </button>
    </form>
  );
}
