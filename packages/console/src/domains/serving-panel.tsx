import type { ConnectionDetail } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Problem } from "../ui/status.tsx";

interface Props {
  readonly connection: ConnectionDetail;
}

/** Where visitors go: to an origin, or by a redirect to another name. */
export function ServingPanel({ connection }: Props) {
  const { may } = useWorkspace();
  const [isEditing, setEditing] = useState(false);
  const canEdit = may("developer") && connection.state !== "archived";
  return (
    <section className="panel" aria-label="Origin and redirect">
      <header>
        <h2>Origin and redirect</h2>
        {canEdit ? (
          <button type="button" className="button small" onClick={() => setEditing(true)}>
            Change
          </button>
        ) : null}
      </header>
      <dl className="facts body">
        <dt>Redirects to</dt>
        <dd>{connection.redirect_to ?? "Nothing: it is served"}</dd>
        <dt>Origin</dt>
        <dd>{connection.origin_url ?? "The application's"}</dd>
        <dt>Host header</dt>
        <dd>{hostHeaders[connection.origin_host_header ?? ""]}</dd>
      </dl>
      <Dialog
        title="Origin and redirect"
        description="The edge follows within two seconds, without a new proof or certificate."
        isOpen={isEditing}
        onClose={() => setEditing(false)}
      >
        <ServingForm connection={connection} onDone={() => setEditing(false)} />
      </Dialog>
    </section>
  );
}

const hostHeaders = {
  "": "As the application has it",
  preserve: "The visitor's",
  origin: "The origin's own",
} as const;

type HostHeader = keyof typeof hostHeaders;

function ServingForm({ connection, onDone }: Props & { readonly onDone: () => void }) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const [redirectTo, setRedirectTo] = useState(connection.redirect_to ?? "");
  const [originUrl, setOriginUrl] = useState(connection.origin_url ?? "");
  const [hostHeader, setHostHeader] = useState<HostHeader>(connection.origin_host_header ?? "");
  const save = useMutation({
    mutationFn: () =>
      api.connections.update(connection.id, {
        redirect_to: redirectTo.trim() === "" ? null : redirectTo.trim(),
        origin_url: originUrl.trim() === "" ? null : originUrl.trim(),
        origin_host_header: hostHeader === "" ? null : hostHeader,
      }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: [environment, "connection", connection.id] });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField
        label="Redirect to"
        value={redirectTo}
        onChange={setRedirectTo}
        hint="The hostname of another domain of the same customer; empty to serve this one."
      />
      <TextField
        label="Origin"
        value={originUrl}
        onChange={setOriginUrl}
        hint="Empty for the application's."
        placeholder="https://origin.example.com"
      />
      <SelectField<HostHeader>
        label="Host header"
        value={hostHeader}
        options={[
          ["", hostHeaders[""]],
          ["preserve", hostHeaders.preserve],
          ["origin", hostHeaders.origin],
        ]}
        onChange={setHostHeader}
      />
      {save.isError ? <Problem error={save.error} /> : null}
      <button type="submit" className="button primary" disabled={save.isPending}>
        Save
      </button>
    </form>
  );
}
