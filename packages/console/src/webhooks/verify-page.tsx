import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy } from "../ui/copy.tsx";
import { SelectField } from "../ui/field.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { samples } from "./verify-samples.ts";
import { WebhookTabs } from "./webhook-tabs.tsx";
import "./webhooks.css";

const route = "/$environment/webhooks/verify";

/** How a receiver proves that a delivery is ours, in the language of the tenant. */
export function VerifyPage() {
  const { language } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const sample = samples.find((one) => one.language === language) ?? samples[0];
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Webhooks</PageHeading>
      </header>
      <WebhookTabs />
      <section className="panel" aria-label="How to verify">
        <div className="body stack">
          <p>
            Verify the signature over the bytes of the body as they arrived, before you parse them.
            Answer with 2xx within 15 seconds, then process the event; store its id, since an event
            can arrive more than once.
          </p>
          <SelectField
            label="Language"
            value={sample?.language ?? ""}
            options={samples.map((one) => [one.language, one.language] as const)}
            onChange={(next) => void navigate({ search: { language: next } })}
          />
          {sample === undefined ? null : (
            <Copy text={sample.code} label="the sample">
              <pre className="payload">{sample.code}</pre>
            </Copy>
          )}
          <p className="muted">
            The libraries of Standard Webhooks verify deliveries too: its headers are sent beside
            ours.{" "}
            <a href="/docs/webhooks" target="_blank" rel="noreferrer">
              The guide
            </a>{" "}
            lists every event with its fields.
          </p>
        </div>
      </section>
    </div>
  );
}
