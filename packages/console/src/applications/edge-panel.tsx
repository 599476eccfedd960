import type { Application, EdgeSettings, UpdateApplication } from "@mooring/sdk";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/status.tsx";
import { useSaveApplication } from "./save-application.ts";

interface Props {
  readonly application: Application;
}

const numbers = [
  ["first_byte_timeout_s", "Time to the first byte, seconds", "Then the visitor gets 504."],
  ["idle_timeout_s", "Silence of a response, seconds", "Also of event streams and WebSockets."],
  ["max_body_bytes", "Largest request body, bytes", "Then the visitor gets 413."],
  ["websocket_lifetime_s", "Life of a WebSocket, seconds", "Empty for no limit of your own."],
] as const;

type NumberName = (typeof numbers)[number][0];
type Numbers = Readonly<Record<NumberName, string>>;

/** How the edge serves the application's domains; an empty field is the operator's default. */
export function EdgePanel({ application }: Props) {
  const { may } = useWorkspace();
  const { edge } = application;
  const save = useSaveApplication(application.id);
  const [values, setValues] = useState<Numbers>(() => toTexts(edge));
  const [compress, setCompress] = useState(edge.compress ?? false);
  const [hstsAge, setHstsAge] = useState(edge.hsts === null ? "" : String(edge.hsts.max_age));
  const [hasSubdomains, setSubdomains] = useState(edge.hsts?.include_subdomains ?? false);
  const [origins, setOrigins] = useState(application.allowed_origins.join("\n"));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change: NonNullable<UpdateApplication["edge"]> = {
      ...parseNumbers(values),
      compress,
      hsts:
        hstsAge === ""
          ? null
          : {
              max_age: Number(hstsAge),
              include_subdomains: hasSubdomains,
              preload: edge.hsts?.preload ?? false,
            },
    };
    save.mutate({ edge: change, allowed_origins: parseLines(origins) });
  };
  return (
    <section className="panel" aria-label="Edge">
      <form className="form body" onSubmit={submit}>
        <fieldset className="plain" disabled={!may("developer")}>
          <AllowedOrigins value={origins} onChange={setOrigins} />
          <div className="columns">
            {numbers.map(([name, label, hint]) => (
              <TextField
                key={name}
                label={label}
                type="number"
                hint={hint}
                value={values[name]}
                onChange={(text) => setValues({ ...values, [name]: text })}
              />
            ))}
            <TextField
              label="HSTS, seconds"
              type="number"
              hint="Browsers then refuse plain http for so long; empty for none."
              value={hstsAge}
              onChange={setHstsAge}
            />
          </div>
          <Check
            text="HSTS holds for subdomains too"
            isOn={hasSubdomains}
            onChange={setSubdomains}
          />
          <Check text="Compress responses" isOn={compress} onChange={setCompress} />
          {save.isError ? <Problem error={save.error} /> : null}
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        </fieldset>
      </form>
    </section>
  );
}

function AllowedOrigins(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <div className="field">
      <label htmlFor="allowed-origins">Allowed origins</label>
      <textarea
        id="allowed-origins"
        className="input mono"
        aria-describedby="allowed-origins-hint"
        placeholder="https://app.example.com"
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <span className="hint" id="allowed-origins-hint">
        Browser origins that may use the widget, one per line.
      </span>
    </div>
  );
}

interface CheckProps {
  readonly text: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Check({ text, isOn, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>{text}</span>
    </label>
  );
}

function toTexts(edge: EdgeSettings): Numbers {
  const text = (name: NumberName) => (edge[name] === null ? "" : String(edge[name]));
  return {
    first_byte_timeout_s: text("first_byte_timeout_s"),
    idle_timeout_s: text("idle_timeout_s"),
    max_body_bytes: text("max_body_bytes"),
    websocket_lifetime_s: text("websocket_lifetime_s"),
  };
}

function parseNumbers(values: Numbers): Record<NumberName, number | null> {
  const number = (name: NumberName) => (values[name] === "" ? null : Number(values[name]));
  return {
    first_byte_timeout_s: number("first_byte_timeout_s"),
    idle_timeout_s: number("idle_timeout_s"),
    max_body_bytes: number("max_body_bytes"),
    websocket_lifetime_s: number("websocket_lifetime_s"),
  };
}

function parseLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
