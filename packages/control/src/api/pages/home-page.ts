import type { Plan } from "../../domain/billing/plan.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";

/** Where the pages of this installation are; an absent part has no link. */
export interface Ways {
  readonly guide: boolean;
  readonly demo: boolean;
  readonly console: boolean;
}

/** The address of the API, for a person who opens it in a browser. */
export function homePage(ways: Ways): string {
  return layout(
    "Mooring",
    html`<h1>Mooring</h1>
      <p class="lead">A domain-connection service: customers of a product point their own domains at
      it, and it serves them over HTTPS. Its API is at <code>/v1</code>.</p>
      <ul class="ways">
        ${ways.console ? way("console/", "Console", "Domains, keys and webhooks of your team.") : null}
        ${ways.guide ? way("docs/index", "Guide", "What it does, how to connect a first domain, how to run it.") : null}
        ${way("docs", "API reference", "Every call, its fields and its errors.")}
        ${ways.demo ? way("demo", "Demo", "A product that lets you connect a made-up domain.") : null}
      </ul>`,
  );
}

function way(href: string, name: string, text: string): Html {
  return html`<li><a href="${href}"><strong>${name}</strong><span>${text}</span></a></li>`;
}

/** What a refusal for the plan's limit links to, unless the operator has set another address. */
export function billingPage(sold: readonly Plan[], hasGuide: boolean): string {
  return layout(
    "Plans",
    html`<h1>Plans</h1>
      <p class="lead">A plan limits what an account may use in a month. Connected domains go on to be
      served when a limit is reached; only new ones are refused until the next month or another plan.</p>
      ${sold.length === 0 ? askOperator() : forSale(sold)}
      <section aria-labelledby="usage">
        <h2 id="usage">What is used up</h2>
        <div class="panel">
          <p>The counters and limits of your account, with an API key:</p>
          <pre>GET /v1/usage</pre>
          <p><a href="docs">API reference</a>${hasGuide ? html` · <a href="docs/index">Guide</a>` : null}</p>
        </div>
      </section>`,
  );
}

/** No payments are set up: only the operator can give an account another plan. */
function askOperator(): Html {
  return html`<section aria-labelledby="more">
        <h2 id="more">More room</h2>
        <div class="panel">
          <p>Nothing is sold here: this installation is run by its operator, who sets the plan of each
          account. Ask them for a larger one.</p>
          <p>Operators change it with</p>
          <pre>mooring tenants set-plan TENANT PLAN</pre>
        </div>
      </section>`;
}

function forSale(sold: readonly Plan[]): Html {
  return html`<section aria-labelledby="more">
        <h2 id="more">More room</h2>
        <div class="panel">
          <table>
            <thead><tr><th scope="col">Plan</th><th scope="col">New domains a month</th><th scope="col">Price a month</th></tr></thead>
            <tbody>${sold.map(planRow)}</tbody>
          </table>
          <p>An API key with the scope <code>apps:admin</code> opens the payment page of a plan:</p>
          <pre>POST /v1/subscriptions { "plan": "${sold[0]?.id ?? ""}" }</pre>
          <p>After a payment the new plan holds as soon as it is confirmed, usually within a minute.</p>
        </div>
      </section>`;
}

function planRow({ id, name, limits, price_cents: cents }: Plan): Html {
  const domains = limits.connect === null ? "no limit" : String(limits.connect);
  return html`<tr><td>${name} <code>${id}</code></td><td>${domains}</td><td>${(cents / 100).toFixed(2)}</td></tr>`;
}

function layout(title: string, body: Html): string {
  return renderPage({
    language: "en",
    title,
    root: "",
    styles: ["pages/home.css"],
    isListed: true,
    body: html`<main>
      ${body}
    </main>`,
  });
}
