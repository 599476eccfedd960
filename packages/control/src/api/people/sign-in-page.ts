import type { Membership } from "../../services/people/oidc.ts";
import type { LinkTarget } from "../../services/people/sign-in.ts";
import { type Html, html } from "../pages/html.ts";

/** Opening it changes nothing: programs that open links in mails and chats do not use it up. */
export function linkPage(target: LinkTarget, token: string): string {
  const place = target.tenantName ?? "the operator's view";
  const who = target.memberName === null ? null : html` as <strong>${target.memberName}</strong>`;
  const role = target.role === null ? null : html`<p class="muted">Role: ${target.role}</p>`;
  return layout(
    "Sign in to Mooring",
    html`<h1>Sign in</h1>
      <p>This link signs you in to <strong>${place}</strong>${who}, once.</p>
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
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex, nofollow">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="../../share/colors.css">
    <link rel="stylesheet" href="../../share/share.css">
  </head>
  <body>
    <main id="page">
      ${body}
    </main>
  </body>
</html>
`.markup;
}
