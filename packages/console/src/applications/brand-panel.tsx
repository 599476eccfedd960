import type { Application } from "@mooring/sdk";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { TextField } from "../ui/field.tsx";
import { Note, Problem } from "../ui/status.tsx";
import { useSaveApplication } from "./save-application.ts";
import { WidgetPreview } from "./widget-preview.tsx";

const defaultColor = "#0b6577";

/** What customers see in the widget and on share pages, with the widget beside it. */
export function BrandPanel({ application }: { readonly application: Application }) {
  const { may, environment } = useWorkspace();
  const save = useSaveApplication(application.id);
  const { brand } = application;
  const [name, setName] = useState(brand?.name ?? "");
  const [logoUrl, setLogoUrl] = useState(brand?.logo_url ?? "");
  const [color, setColor] = useState(brand?.color ?? defaultColor);
  const [supportUrl, setSupportUrl] = useState(brand?.support_url ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = { name, logo_url: logoUrl, color, support_url: supportUrl };
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== "");
    save.mutate({ brand: Object.fromEntries(filled) });
  };
  const isColor = /^#[0-9a-f]{6}$/i.test(color);
  return (
    <div className="previews">
      <section className="panel" aria-label="Brand">
        <form className="form body" onSubmit={submit}>
          <fieldset className="plain" disabled={!may("developer")}>
            <TextField
              label="Name"
              value={name}
              onChange={setName}
              hint="As your customers know your product."
            />
            <div className="swatch">
              <input
                type="color"
                aria-label="Pick the accent colour"
                value={isColor ? color : defaultColor}
                onChange={(event) => setColor(event.target.value)}
              />
              <TextField
                label="Accent colour"
                value={color}
                onChange={setColor}
                problem={isColor ? null : "Six hexadecimal digits after a #."}
              />
            </div>
            <TextField
              label="Logo"
              type="url"
              value={logoUrl}
              onChange={setLogoUrl}
              placeholder="https://…"
            />
            <TextField
              label="Help for customers"
              value={supportUrl}
              onChange={setSupportUrl}
              placeholder="https://… or mailto:…"
            />
            {save.isError ? <Problem error={save.error} /> : null}
            <button type="submit" className="button primary" disabled={save.isPending || !isColor}>
              Save
            </button>
          </fieldset>
        </form>
      </section>
      <section className="panel" aria-label="Preview">
        <header>
          <h2>The widget</h2>
        </header>
        <div className="body stack">
          {environment === "live" ? (
            <Note>The preview is in the test environment: here it would connect real domains.</Note>
          ) : may("developer") ? (
            <WidgetPreview
              applicationId={application.id}
              brandName={name}
              color={isColor ? color : defaultColor}
            />
          ) : (
            <Note>The preview needs the role developer: it mints a token.</Note>
          )}
          <p className="muted">
            It is the real one, in the test environment: a name below .test entered here is
            connected. It needs an API key, with which its tokens end. The logo is not shown, since
            the console loads nothing from elsewhere.
          </p>
        </div>
      </section>
    </div>
  );
}
