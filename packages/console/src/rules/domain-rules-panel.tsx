import type { ConnectionDetail, ConnectionEdge } from "@mooring/sdk";
import { useState } from "react";
import { ChangeablePanel, ChangeForm } from "../domains/changeable-panel.tsx";
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
  const edge = connection.edge ?? unset;
  return (
    <ChangeablePanel
      connection={connection}
      title="Rules for requests"
      description="The edge follows within two seconds. Answers in flight and open WebSockets continue."
      form={(onDone) => <RulesForm connection={connection} onDone={onDone} />}
    >
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
    </ChangeablePanel>
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
  const { edge } = connection;
  const [values, setValues] = useState<RuleValues>(() => readRules(edge, "inherit"));
  return (
    <ChangeForm
      connection={connection}
      readChanges={() => ({ edge: connectionRules(values) })}
      onDone={onDone}
    >
      <RulesFields
        values={values}
        onChange={setValues}
        hasApplication
        isPasswordStored={edge !== null && edge.basic_auth !== null && edge.basic_auth !== "off"}
      />
    </ChangeForm>
  );
}
