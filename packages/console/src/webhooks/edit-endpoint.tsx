import type { EventType, WebhookEndpoint } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/status.tsx";
import { EventChoice } from "./event-choice.tsx";
import { FormatChoice } from "./format-choice.tsx";

export function EditEndpointButton({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      <Dialog title="Edit the endpoint" isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        <EditForm endpoint={endpoint} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface FormProps {
  readonly endpoint: WebhookEndpoint;
  readonly onDone: () => void;
}

function EditForm({ endpoint, onDone }: FormProps) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly (EventType | "*")[]>(endpoint.events);
  const [format, setFormat] = useState(endpoint.format);
  const [isActive, setActive] = useState(endpoint.active);
  const save = useMutation({
    mutationFn: () =>
      api.webhookEndpoints.update(endpoint.id, {
        events,
        format,
        active: isActive,
        ...(url === "" ? {} : { url }),
      }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: [environment, "endpoints"] });
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
        label="New URL"
        type="url"
        value={url}
        onChange={setUrl}
        placeholder={endpoint.url}
        hint="Empty to leave it as it is. Parts that may be secret are masked above."
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isActive}
          onChange={(event) => setActive(event.target.checked)}
        />
        <span>Active. An endpoint that is switched on again gets the events it missed.</span>
      </label>
      <FormatChoice value={format} onChange={setFormat} />
      <EventChoice value={events} onChange={setEvents} />
      {save.isError ? <Problem error={save.error} /> : null}
      <button
        type="submit"
        className="button primary"
        disabled={save.isPending || events.length === 0}
      >
        Save
      </button>
    </form>
  );
}
