import type { Application } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { applicationsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty, Problem } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";

export function ApplicationsPage() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const query = useQuery(applicationsQuery(workspace));
  const open = ({ id }: Application) =>
    void navigate({
      to: "/$environment/applications/$id",
      params: { environment: workspace.environment, id },
    });
  return (
    <div className="stack">
      <header className="page-head">
        <div>
          <PageHeading>Applications</PageHeading>
          <p>Your products, which connected domains point at.</p>
        </div>
        <NewApplicationButton />
      </header>
      <ListPanel
        label="Applications"
        query={query}
        loading="Loading the applications"
        columns={columns}
        empty={<Empty title="No application yet." />}
        onOpen={open}
      />
    </div>
  );
}

const columns: readonly Column<Application>[] = [
  {
    id: "name",
    header: "Name",
    isTitle: true,
    cell: (row) => <ApplicationLink application={row} />,
  },
  {
    id: "origin",
    header: "Origin",
    cell: ({ origin_url, origins }) => (
      <span className="breakable">
        {origin_url ?? <span className="bad-text">None: domains show an error page</span>}
        {origins.length > 1 ? <span className="sub">and {origins.length - 1} more</span> : null}
      </span>
    ),
  },
  {
    id: "template",
    header: "Records",
    cell: ({ record_template: template }) =>
      template.length === 0 ? "Default" : `${template.length} of its own`,
  },
  { id: "created", header: "Created", cell: ({ created_at }) => <Ago at={created_at} /> },
];

function ApplicationLink({ application: { id, name } }: { readonly application: Application }) {
  const { environment } = useWorkspace();
  return (
    <Link className="main" to="/$environment/applications/$id" params={{ environment, id }}>
      {name}
    </Link>
  );
}

function NewApplicationButton() {
  const { may } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  if (!may("developer")) return null;
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" /> New application
      </button>
      <Dialog title="New application" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewApplicationForm />
      </Dialog>
    </>
  );
}

function NewApplicationForm() {
  const { api, environment } = useWorkspace();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [originUrl, setOriginUrl] = useState("");
  const create = useMutation({
    mutationFn: () =>
      api.applications.create({
        name: name.trim(),
        environment,
        ...(originUrl.trim() === "" ? {} : { origin_url: originUrl.trim() }),
      }),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: [environment, "applications"] });
      await navigate({ to: "/$environment/applications/$id", params: { environment, id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField label="Name" value={name} onChange={setName} isRequired />
      <TextField
        label="Origin"
        value={originUrl}
        onChange={setOriginUrl}
        placeholder="https://app.example.com"
        hint="Where the edge sends visitors of connected domains; can be set later."
      />
      {create.isError ? <Problem error={create.error} /> : null}
      <button
        type="submit"
        className="button primary"
        disabled={create.isPending || name.trim() === ""}
      >
        Create
      </button>
    </form>
  );
}
