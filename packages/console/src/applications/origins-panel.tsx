import type { Application } from "@mooring/sdk";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/status.tsx";
import { useSaveApplication } from "./save-application.ts";

interface Props {
  readonly application: Application;
}

interface OriginLine {
  readonly key: number;
  readonly url: string;
  readonly weight: string;
}

const mostOrigins = 8;

/** Name, origins with their weights, the Host header that they get, and CDNs in front. */
export function OriginsPanel({ application }: Props) {
  const { may } = useWorkspace();
  const save = useSaveApplication(application.id);
  const [name, setName] = useState(application.name);
  const [lines, setLines] = useState<readonly OriginLine[]>(() => originLines(application));
  const [hostHeader, setHostHeader] = useState(application.origin_host_header);
  const [proxied, setProxied] = useState(application.proxied);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const origins = lines
      .filter(({ url }) => url.trim() !== "")
      .map(({ url, weight }) => ({ url: url.trim(), weight: Number(weight) }));
    save.mutate({ name: name.trim(), origins, origin_host_header: hostHeader, proxied });
  };
  return (
    <section className="panel" aria-label="Origins">
      <form className="form body" onSubmit={submit}>
        <fieldset className="plain" disabled={!may("developer")}>
          <TextField label="Name" value={name} onChange={setName} isRequired />
          <OriginLines lines={lines} onChange={setLines} />
          <SelectField
            label="Host header"
            value={hostHeader}
            options={[
              ["preserve", "The visitor's: your origin sees the customer's domain"],
              ["origin", "The origin's own"],
            ]}
            onChange={setHostHeader}
          />
          <SelectField
            label="Names behind a CDN"
            value={proxied}
            options={[
              ["accept", "May stay there, when requests arrive here"],
              ["refuse", "Customers are asked to switch the proxy off"],
            ]}
            onChange={setProxied}
          />
          {save.isError ? <Problem error={save.error} /> : null}
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        </fieldset>
      </form>
    </section>
  );
}

function originLines({ origins }: Application): readonly OriginLine[] {
  const known = origins.map(({ url, weight }, key) => ({ key, url, weight: String(weight) }));
  return known.length > 0 ? known : [{ key: 0, url: "", weight: "1" }];
}

interface LinesProps {
  readonly lines: readonly OriginLine[];
  readonly onChange: (lines: readonly OriginLine[]) => void;
}

function OriginLines({ lines, onChange }: LinesProps) {
  const change = (key: number, part: Partial<OriginLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));
  const next = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  return (
    <div className="lines">
      {lines.map(({ key, url, weight }, index) => (
        <div key={key} className="line origin">
          <TextField
            label={index === 0 ? "Origin" : `Origin ${index + 1}`}
            value={url}
            onChange={(text) => change(key, { url: text })}
            placeholder="https://app.example.com"
          />
          <TextField
            label="Weight"
            type="number"
            value={weight}
            onChange={(text) => change(key, { weight: text })}
          />
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove origin ${index + 1}`}
            onClick={() => onChange(lines.filter((line) => line.key !== key))}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <p className="row">
        <button
          type="button"
          className="button small"
          disabled={lines.length >= mostOrigins}
          onClick={() => onChange([...lines, { key: next, url: "", weight: "1" }])}
        >
          <Icon name="plus" /> Another origin
        </button>
        <span className="muted">A weight of 0 takes requests only while no other does.</span>
      </p>
    </div>
  );
}
