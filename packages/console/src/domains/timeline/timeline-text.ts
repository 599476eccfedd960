import type { TimelineEntry } from "@mooring/sdk";
import { stateLabel, words } from "../state-text.ts";

/** What happened, in a few words. */
export function entryTitle(entry: TimelineEntry): string {
  const { kind, from_state, to_state, details } = entry;
  switch (kind) {
    case "state":
      return from_state === null || from_state === to_state
        ? stateLabel(to_state ?? "")
        : `${stateLabel(from_state)} → ${stateLabel(to_state ?? "")}`;
    case "write":
      return outcomeTitle("DNS write", details);
    case "certificate":
      return certificateTitle(entry);
    case "delivery":
      return deliveryTitle(details);
    case "action":
      return actionTitle(valueText(details["action"]));
    case "check":
      return checkTitle(details);
    case "visit":
      return "First visit";
    default:
      return words(kind);
  }
}

/** Of an archived domain only whether its name still resolves to us is checked. */
function checkTitle({ dangling, records_added: isSaid }: TimelineEntry["details"]): string {
  if (isSaid === true) return "Records added, says the customer";
  if (typeof dangling !== "boolean") return "Check";
  return dangling ? "Left behind: its name still resolves to the service" : "No longer left behind";
}

function deliveryTitle({ event, status, next_attempt_at }: TimelineEntry["details"]): string {
  const title = `Webhook ${valueText(event)}`;
  if (status === "delivered") return `${title}: delivered`;
  if (typeof status !== "string") return title;
  return `${title}: ${next_attempt_at === undefined ? "given up" : "failed, is sent again"}`;
}

function certificateTitle({ details, error_code }: TimelineEntry): string {
  if (details["outcome"] === "foreign") return "Certificate: obtained by somebody else";
  if (typeof details["outcome"] === "string") return outcomeTitle("Certificate", details);
  if (typeof details["action"] === "string") {
    return `Certificate: ${words(details["action"]).toLowerCase()}`;
  }
  return error_code === null ? "Certificate: no longer in trouble" : "Certificate: in trouble";
}

function outcomeTitle(noun: string, { outcome }: TimelineEntry["details"]): string {
  return typeof outcome === "string" ? `${noun}: ${words(outcome).toLowerCase()}` : noun;
}

/** `connection.certificate_retry` → `Certificate retry` */
function actionTitle(action: string): string {
  if (action === "connection.update") return "Settings changed";
  return words(action.slice(action.indexOf(".") + 1));
}

/** Said by the title, or of use to programs only. */
const untold: readonly string[] = [
  "outcome",
  "first",
  "dangling",
  "action",
  "event",
  "status",
  "write_id",
  "endpoint_id",
  "next_attempt_at",
  "records_added",
];

/** The rest of what is known, in one line. */
export function entryDetails({ error_code, details }: TimelineEntry): string {
  const facts = Object.entries(details)
    .filter(([name]) => !untold.includes(name))
    .map(([name, value]) =>
      name === "ca_error" && isCaError(value)
        ? caErrorText(value)
        : `${words(name)}: ${valueText(value)}`,
    );
  return [...(error_code === null ? [] : [words(error_code)]), ...facts].join(" · ");
}

interface CaError {
  readonly type: string | null;
  readonly detail: string;
}

function isCaError(value: unknown): value is CaError {
  return typeof value === "object" && value !== null && "type" in value && "detail" in value;
}

/** In the words of the CA, where it said them. */
export function caErrorText({ type, detail }: CaError): string {
  return type === null ? detail : `The CA said: ${detail} (${type.replace(/^urn:.*:/, "")})`;
}

/** Who caused it: a person by name, else the kind of caller. A visitor has none. */
export function entryActor({ kind: what, actor }: TimelineEntry): string | null {
  if (actor === null || what === "visit") return null;
  const { kind, name } = actor;
  const isService = kind === "system" && name === "worker";
  return (
    (isService ? null : name) ??
    {
      member: "A member",
      key: "An API key",
      token: "The widget",
      operator: "The operator",
      system: "The service",
    }[kind]
  );
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
