import type { ConnectionDetail, Cutover } from "@mooring/sdk";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Badge, Note } from "../ui/status.tsx";
import { Ago, At, shortDuration } from "../ui/time.tsx";
import { PlanForm } from "./plan-form.tsx";
import { cutoverTexts } from "./state-text.ts";

interface Props {
  readonly connection: ConnectionDetail;
}

const checks: Readonly<Record<Cutover["checks"][number]["code"], string>> = {
  ownership: "Ownership",
  validation: "Validation record",
  certificate: "Certificate",
  edge: "Edges",
  origin: "Origin",
  caa_dnssec: "Next renewal",
  mail: "Mail",
};

/**
 * The move of a name that serves visitors elsewhere: what is prepared, the switch, and the way
 * back.
 */
export function CutoverPanel({ connection }: Props) {
  const { cutover } = connection;
  if (cutover === null) return null;
  const { tone, label } = cutoverTexts[cutover.status];
  return (
    <section className="panel" aria-label="Cut-over">
      <header>
        <h2>Cut-over</h2>
        <Badge tone={tone}>{label}</Badge>
      </header>
      <ul className="cutover-checks body">
        {cutover.checks.map((check) => (
          <CheckRow key={check.code} check={check} />
        ))}
      </ul>
      <dl className="facts body">
        <dt>Old place</dt>
        <dd>
          {cutover.old_records.length === 0
            ? "–"
            : cutover.old_records.map(({ type, value }) => (
                <div key={`${type} ${value}`}>
                  <code>
                    {type} {value}
                  </code>
                </div>
              ))}
        </dd>
        <dt>Cached for</dt>
        <dd>{cutover.ttl === null ? "–" : shortDuration(cutover.ttl)}</dd>
        {cutover.ready_at === null ? null : (
          <>
            <dt>Ready since</dt>
            <dd>
              <Ago at={cutover.ready_at} />
            </dd>
          </>
        )}
        {cutover.visitors_gone_at === null ? null : (
          <>
            <dt>No visitor at the old place</dt>
            <dd>
              from <At at={cutover.visitors_gone_at} />
            </dd>
          </>
        )}
      </dl>
      <CutoverActions connection={connection} cutover={cutover} />
    </section>
  );
}

/** What was not compared is neither a success nor in the way. */
function CheckRow({ check }: { readonly check: Cutover["checks"][number] }) {
  const { code, ok, message, not_compared: reason } = check;
  const isKnown = reason === undefined;
  const said = ok ? ": holds" : ": does not hold";
  return (
    <li className={ok && isKnown ? "ok" : ""}>
      <Icon name={isKnown ? (ok ? "check" : "warning") : "info"} />
      <div>
        <strong>{checks[code]}</strong>
        <span className="visually-hidden">{isKnown ? said : ": not compared"}</span>
        <p className="muted breakable">{message}</p>
      </div>
    </li>
  );
}

function CutoverActions({ connection, cutover }: Props & { readonly cutover: Cutover }) {
  const { may } = useWorkspace();
  const [open, setOpen] = useState<"switch" | "revert" | null>(null);
  if (!may("developer") || connection.state === "archived") return null;
  const canSwitch = cutover.status === "ready" || cutover.status === "reverted";
  const canRevert = cutover.status === "switching" || cutover.status === "done";
  if (!canSwitch && !canRevert) return null;
  const close = () => setOpen(null);
  return (
    <footer className="row">
      {canSwitch ? (
        <button type="button" className="button small primary" onClick={() => setOpen("switch")}>
          Switch
        </button>
      ) : null}
      {canRevert ? (
        <button type="button" className="button small" onClick={() => setOpen("revert")}>
          Move back
        </button>
      ) : null}
      <Dialog
        title="Switch to us"
        description="Replaces exactly the records of the old place. Without a credential the customer changes them instead, and we notice."
        isOpen={open === "switch"}
        onClose={close}
        isWide
      >
        <SwitchForm connection={connection} cutover={cutover} onDone={close} />
      </Dialog>
      <Dialog
        title="Move back to the old place"
        description="Puts the old records back. The name keeps its claim and its certificate. Possible until seven days after the move."
        isOpen={open === "revert"}
        onClose={close}
        isWide
      >
        <RevertForm connection={connection} onDone={close} />
      </Dialog>
    </footer>
  );
}

/** A domain and its www are moved together. */
function paired({ partner_id: partner }: ConnectionDetail): { readonly pair?: true } {
  return partner === null ? {} : { pair: true };
}

interface FormProps extends Props {
  readonly onDone: () => void;
}

/** A difference of the origin is a warning that somebody has to accept. */
function SwitchForm(props: FormProps & { readonly cutover: Cutover }) {
  const { connection, cutover, onDone } = props;
  const { connections } = useWorkspace().api;
  const [isAccepted, setAccepted] = useState(false);
  const difference = cutover.checks.find(({ code, ok }) => code === "origin" && !ok);
  return (
    <>
      {difference === undefined ? null : (
        <Note tone="wait">
          <p className="breakable">{difference.message}</p>
          <label className="check">
            <input
              type="checkbox"
              checked={isAccepted}
              onChange={(event) => setAccepted(event.target.checked)}
            />
            <span>The new place may answer differently.</span>
          </label>
        </Note>
      )}
      <PlanForm
        connection={connection}
        send={({ dry_run, credential_id }) =>
          connections.cutover(connection.id, {
            dry_run,
            ...(credential_id === undefined ? {} : { credential_id }),
            ...(difference === undefined ? {} : { accept: ["origin"] }),
            ...paired(connection),
          })
        }
        action="Switch"
        done="The new records are written; visitors move here as caches run out."
        onDone={onDone}
        isAllowed={difference === undefined || isAccepted}
      />
    </>
  );
}

function RevertForm({ connection, onDone }: FormProps) {
  const { connections } = useWorkspace().api;
  return (
    <PlanForm
      connection={connection}
      send={({ dry_run, credential_id }) =>
        connections.revertCutover(connection.id, {
          dry_run,
          ...(credential_id === undefined ? {} : { credential_id }),
          ...paired(connection),
        })
      }
      action="Move back"
      done="The old records are back."
      onDone={onDone}
    />
  );
}
