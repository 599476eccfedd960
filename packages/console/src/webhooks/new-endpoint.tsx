import type { EventType, WebhookEndpoint } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { applicationsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Problem } from "../ui/status.tsx";
import { EventChoice } from "./event-choice.tsx";
import { FormatChoice } from "./format-choice.tsx";
import "./webhooks.css";

export function NewEndpointButton() {
  const { may } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  if (!may("developer")) return null;
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" /> Add an endpoint
      </button>
      <Dialog title="Add an endpoint" isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        <NewEndpointForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function NewEndpointForm({ onDone }: { readonly onDone: () => void }) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const { data: applications = [] } = useQuery(applicationsQuery(workspace));
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly (EventType | "*")[]>(["*"]);
  const [format, setFormat] = useState<WebhookEndpoint["format"]>("standard");
  const [chosen, setChosen] = useState<string | null>(null);
  const applicationId = chosen ?? applications[0]?.id ?? "";
  const create = useMutation({
    mutationFn: () =>
      workspace.api.webhookEndpoints.create({
        application_id: applicationId,
        url,
        events,
        format,
      }),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: [workspace.environment, "endpoints"] }),
  });
  if (create.data !== undefined) {
    return (
      <SecretOnce
        title="The secret that signs its deliveries"
        secret={create.data.signing_secret}
        onDone={onDone}
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField
        label="URL"
        type="url"
        value={url}
        onChange={setUrl}
        placeholder="https://api.example.com/webhooks/mooring"
        isRequired
      />
      <SelectField
        label="Application"
        value={applicationId}
        options={applications.map(({ id, name }) => [id, name] as const)}
        onChange={setChosen}
      />
      <FormatChoice value={format} onChange={setFormat} />
      <EventChoice value={events} onChange={setEvents} />
      {create.isError ? <Problem error={create.error} /> : null}
      <button
        type="submit"
        className="button primary"
        disabled={create.isPending || events.length === 0}
      >
        Add
      </button>
    </form>
  );
}
