import type { ConnectionDetail, UpdateConnection } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/status.tsx";

interface PanelProps {
  readonly connection: ConnectionDetail;
  readonly title: string;
  /** What follows from a change. */
  readonly description: string;
  readonly form: (onDone: () => void) => ReactNode;
  /** The terms and values of today. */
  readonly children: ReactNode;
}

/** Facts of a domain that a developer changes in a dialog. */
export function ChangeablePanel({ connection, title, description, form, children }: PanelProps) {
  const { may } = useWorkspace();
  const [isEditing, setEditing] = useState(false);
  const canEdit = may("developer") && connection.state !== "archived";
  const close = () => setEditing(false);
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {canEdit ? (
          <button type="button" className="button small" onClick={() => setEditing(true)}>
            Change
          </button>
        ) : null}
      </header>
      <dl className="facts body">{children}</dl>
      <Dialog title={title} description={description} isOpen={isEditing} onClose={close}>
        {form(close)}
      </Dialog>
    </section>
  );
}

interface FormProps {
  readonly connection: ConnectionDetail;
  readonly readChanges: () => UpdateConnection;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

/** Saves changes of a domain; its page shows them when it is done. */
export function ChangeForm({ connection, readChanges, onDone, children }: FormProps) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => api.connections.update(connection.id, readChanges()),
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
      {children}
      {save.isError ? <Problem error={save.error} /> : null}
      <button type="submit" className="button primary" disabled={save.isPending}>
        Save
      </button>
    </form>
  );
}
