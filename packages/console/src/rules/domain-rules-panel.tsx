import type { ConnectionDetail, ConnectionEdge } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/status.tsx";
import { fullTime } from "../ui/time.tsx";
import { connectionRules, type RuleValues, readRules } from "./rule-values.ts";
import { RulesFields } from "./rules-fields.tsx";

interface Props {
  readonly connection: ConnectionDetail;
}

const unset: ConnectionEdge = {
  rate_limit: null,
  allow: null,
  deny: null,
  maintenance: null,
  basic_auth: null,
};

/** Which requests the edge serves, where that differs from the application. */
export function RulesPanel({ connection }: Props) {
  const { may } = useWorkspace();
  const [isEditing, setEditing] = useState(false);
  const canEdit = may("developer") && connection.state !== "archived";
  const edge = connection.edge ?? unset;
  return (
    <section className="panel" aria-label="Rules for requests">
      <header>
        <h2>Rules for requests</h2>
        {canEdit ? (
          <button type="button" className="button small" onClick={() => setEditing(true)}>
            Change
          </button>
        ) : null}
      </header>
      <dl className="facts body">
        <dt>Denied networks</dt>
        <dd>{ruleText(edge.deny, listText)}</dd>
        <dt>Allowed networks</dt>
        <dd>{ruleText(edge.allow, listText)}</dd>
        <dt>Maintenance</dt>
        <dd>{ruleText(edge.maintenance, ({ until }) => endText(until))}</dd>
        <dt>Rate limit</dt>
        <dd>{ruleText(edge.rate_limit, limitText)}</dd>
        <dt>Sign-in</dt>
        <dd>{ruleText(edge.basic_auth, ({ username }) => `As ${username}`)}</dd>
      </dl>
      <Dialog
        title="Rules for requests"
        description="The edge follows within two seconds. Answers in flight and open WebSockets continue."
        isOpen={isEditing}
        onClose={() => setEditing(false)}
      >
        <RulesForm connection={connection} onDone={() => setEditing(false)} />
      </Dialog>
    </section>
  );
}

function ruleText<T>(rule: T | "off" | null, text: (own: T) => string): string {
  if (rule === null) return "As the application has it";
  return rule === "off" ? "Off" : text(rule);
}

const shownNetworks = 3;

function listText(networks: readonly string[]): string {
  const more = networks.length - shownNetworks;
  const shown = networks.slice(0, shownNetworks).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function endText(until: string | null): string {
  return until === null ? "Until it is switched off" : `Until ${fullTime(until)}`;
}

function limitText({ requests, per_s, by }: Exclude<ConnectionEdge["rate_limit"], "off" | null>) {
  const who = by === "visitor" ? "each visitor" : "all visitors together";
  return `${requests} in ${per_s} s, ${who}`;
}

function RulesForm({ connection, onDone }: Props & { readonly onDone: () => void }) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const { edge } = connection;
  const [values, setValues] = useState<RuleValues>(() => readRules(edge, "inherit"));
  const save = useMutation({
    mutationFn: () => api.connections.update(connection.id, { edge: connectionRules(values) }),
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
      <RulesFields
        values={values}
        onChange={setValues}
        hasApplication
        isPasswordStored={edge !== null && edge.basic_auth !== null && edge.basic_auth !== "off"}
      />
      {save.isError ? <Problem error={save.error} /> : null}
      <button type="submit" className="button primary" disabled={save.isPending}>
        Save
      </button>
    </form>
  );
}
