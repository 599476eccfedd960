import type { Membership } from "../../services/people/oidc.ts";
import type { LinkTarget } from "../../services/people/sign-in.ts";
import { type Html, html } from "../pages/html.ts";
import { renderPage } from "../pages/layout.ts";

/** Opening it changes nothing: programs that open links in mails and chats do not use it up. */
export function linkPage(target: LinkTarget, token: string): string {
  const destination = target.tenantName ?? "the operator's view";
  const who = target.memberName === null ? null : html` as <strong>${target.memberName}</strong>`;
  const role = target.role === null ? null : html`<p class="muted">Role: ${target.role}</p>`;
  return layout(
    "Sign in to Mooring",
    html`<h1>Sign in</h1>
      <p>This link signs you in to <strong>${destination}</strong>${who}, once.</p>
      ${role}
      <form method="post" action="${token}"><button class="button" type="submit">Sign in</button></form>`,
  );
}

/** The same page for an unknown link, a used one and an old one: a guesser learns nothing. */
export function deadLinkPage(): string {
  return layout(
    "This link is no longer valid",
    html`<h1>This link is no longer valid</h1>
      <p>It was used already, or its time is over. Ask for a new one, or make one with
      <code>mooring console link</code>.</p>`,
  );
}

/** For a person whom several tenants know. */
export function choicePage(choices: readonly Membership[]): string {
  return layout(
    "Choose where to sign in",
    html`<h1>Where do you want to sign in?</h1>
      ${choices.map(
        ({ tenantId, tenantName, role }) =>
          html`<form method="post" action="choose/${tenantId}"><p><button class="button" type="submit">${tenantName}</button> <span class="muted">${role}</span></p></form>`,
      )}`,
  );
}

export function signInTroublePage(title: string, text: string): string {
  return layout(title, html`<h1>${title}</h1><p>${text}</p>`);
}

function layout(title: string, body: Html): string {
  return renderPage({
    language: "en",
    title,
    root: "../../",
    body: html`<main>
      ${body}
    </main>`,
  });
}
