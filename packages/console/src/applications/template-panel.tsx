import type { Application } from "@mooring/sdk";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Choice } from "../ui/choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { Note, Problem } from "../ui/status.tsx";
import { useSaveApplication } from "./save-application.ts";
import { previewTemplate, type TemplateLine } from "./template-preview.ts";

interface Props {
  readonly application: Application;
}

/** The records that each connected domain needs, with what they become for two sample domains. */
export function TemplatePanel({ application }: Props) {
  const { may } = useWorkspace();
  const save = useSaveApplication(application.id);
  const [lines, setLines] = useState<readonly TemplateLine[]>(() =>
    application.record_template.map(({ host, type, value, ttl, priority }, key) => ({
      key,
      host,
      type,
      value,
      ttl,
      priority: priority === null ? "" : String(priority),
    })),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      record_template: lines.map(({ host, type, value, ttl, priority }) => ({
        host,
        type,
        value,
        ttl,
        priority: priority === "" ? null : Number(priority),
      })),
    });
  };
  return (
    <section className="panel" aria-label="Records">
      <form className="body stack" onSubmit={submit}>
        <p className="muted">
          <code>@</code> is the customer's domain, a label stands below it. Placeholders:{" "}
          <code>
            {
              "{{hostname}} {{apex}} {{subdomain}} {{edge_cname}} {{edge_ipv4}} {{edge_ipv6}} {{connection_id}}"
            }
          </code>
        </p>
        {lines.length === 0 ? (
          <Note>
            The default: a CNAME to the edge for a subdomain; for an apex a flattened name where the
            provider can, else the edge's addresses.
          </Note>
        ) : null}
        <fieldset className="plain" disabled={!may("developer")}>
          <TemplateLines lines={lines} onChange={setLines} />
          <Note>
            Live domains keep serving when the template changes: each gets the new records as
            pending, and you get <code>domain.records_changed</code>.
          </Note>
          {save.isError ? <Problem error={save.error} /> : null}
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        </fieldset>
      </form>
      <div className="body previews">
        <Preview title="An apex" hostname="acme.com" apex="acme.com" lines={lines} />
        <Preview title="A subdomain" hostname="shop.acme.com" apex="acme.com" lines={lines} />
      </div>
    </section>
  );
}

const types = ["A", "AAAA", "CNAME", "ALIAS", "TXT", "MX", "CAA", "NS", "SRV"];

interface LinesProps {
  readonly lines: readonly TemplateLine[];
  readonly onChange: (lines: readonly TemplateLine[]) => void;
}

function TemplateLines({ lines, onChange }: LinesProps) {
  const next = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  const added: TemplateLine = {
    key: next,
    host: "@",
    type: "CNAME",
    value: "{{edge_cname}}",
    ttl: null,
    priority: "",
  };
  return (
    <div className="lines">
      {lines.map((line, index) => (
        <TemplateLineInput
          key={line.key}
          line={line}
          number={index + 1}
          onChange={(part) =>
            onChange(lines.map((one) => (one.key === line.key ? { ...one, ...part } : one)))
          }
          onRemove={() => onChange(lines.filter(({ key }) => key !== line.key))}
        />
      ))}
      <p>
        <button type="button" className="button small" onClick={() => onChange([...lines, added])}>
          <Icon name="plus" /> Add a record
        </button>
      </p>
    </div>
  );
}

interface LineProps {
  readonly line: TemplateLine;
  readonly number: number;
  readonly onChange: (part: Partial<TemplateLine>) => void;
  readonly onRemove: () => void;
}

function TemplateLineInput({ line, number, onChange, onRemove }: LineProps) {
  const text = (name: "host" | "value" | "priority", label: string) => (
    <input
      className="input"
      aria-label={`${label} of record ${number}`}
      placeholder={label}
      value={line[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
  return (
    <div className="line record">
      {text("host", "Host")}
      <Choice
        label={`Type of record ${number}`}
        value={line.type}
        options={types.map((type) => [type, type] as const)}
        onChange={(type) => onChange({ type })}
      />
      {text("value", "Value")}
      {text("priority", "Priority")}
      <button
        type="button"
        className="button quiet"
        aria-label={`Remove record ${number}`}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}

interface PreviewProps {
  readonly title: string;
  readonly hostname: string;
  readonly apex: string;
  readonly lines: readonly TemplateLine[];
}

function Preview({ title, hostname, apex, lines }: PreviewProps) {
  const records = previewTemplate(lines, { hostname, apex });
  return (
    <section className="panel">
      <header>
        <h2>
          {title}: {hostname}
        </h2>
      </header>
      <div className="table-frame">
        <table aria-label={`Records of ${hostname}`}>
          <tbody>
            {records.map(({ key, host, type, value }) => (
              <tr key={key}>
                <td className="mono breakable">{host}</td>
                <td>{type}</td>
                <td className="mono breakable">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
