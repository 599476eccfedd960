import { toUnicode } from "@mooring/dns";
import type { ReturnRefusal, ReturnResult } from "../../services/domain-connect/return.ts";
import type { OAuthReturn } from "../../services/oauth/return.ts";
import { html } from "../pages/html.ts";

type Accepted = Extract<ReturnResult, { kind: "accepted" }>;

interface Message {
  readonly title: string;
  readonly text: string;
}

/** What the customer reads on return; a script notifies the opener and closes the window. */
export function acceptedPage(assets: string, result: Accepted): string {
  const { connectionId: connection_id, status, origins } = result;
  const message = JSON.stringify({ type: "svc:domain-connect", connection_id, status });
  return layout(assets, messageFor(result), { message, origins: JSON.stringify(origins) });
}

function messageFor({ status, hostname, providerName }: Accepted): Message {
  const name = toUnicode(hostname);
  switch (status) {
    case "returned":
      return {
        title: "Back from your DNS provider",
        text: `The records of ${name} are being checked now. You can close this window.`,
      };
    case "cancelled":
      return {
        title: "Cancelled",
        text: `Nothing was confirmed at ${providerName}. You can close this window, and start again or add the records of ${name} by hand.`,
      };
    case "failed":
      return {
        title: `${providerName} did not set the records`,
        text: `You can close this window, and try again or add the records of ${name} by hand.`,
      };
  }
}

type SignedIn = Extract<OAuthReturn, { kind: "accepted" }>;

/** The same after a sign-in; what redeems the token goes to the opener alone. */
export function signInPage(assets: string, result: SignedIn): string {
  const { connectionId: connection_id, status, grant, origins, hostname, providerName } = result;
  const message = JSON.stringify({ type: "svc:oauth", connection_id, status, grant });
  const texts: Readonly<Record<SignedIn["status"], Message>> = {
    granted: {
      title: "Thank you",
      text: `You are signed in at ${providerName}. The change of ${toUnicode(hostname)} is shown to you before it is made. You can close this window.`,
    },
    cancelled: {
      title: "Cancelled",
      text: `Nothing was allowed at ${providerName}. You can close this window, and choose another way.`,
    },
    failed: {
      title: `${providerName} did not complete the sign-in`,
      text: "Nothing was changed. You can close this window, and try again or choose another way.",
    },
  };
  return layout(assets, texts[status], { message, origins: JSON.stringify(origins) });
}

const refusals: Readonly<Record<ReturnRefusal, Message & { readonly status: number }>> = {
  unknown: {
    status: 400,
    title: "This link does not belong to this service",
    text: "Nothing was changed. Go back to where you started connecting your domain and begin again.",
  },
  mismatch: {
    status: 400,
    title: "This link does not fit together",
    text: "Nothing was changed. Go back to where you started connecting your domain and begin again.",
  },
  expired: {
    status: 410,
    title: "This link has expired",
    text: "Too much time has passed. What your DNS provider may have set is found all the same; you can close this window, or begin again where you started.",
  },
  replayed: {
    status: 409,
    title: "This link was used already",
    text: "It works once. You can close this window and go on where you started connecting your domain.",
  },
  ended: {
    status: 409,
    title: "This domain is no longer being connected",
    text: "You can close this window.",
  },
};

export function refusedPage(assets: string, reason: ReturnRefusal) {
  const { status, ...message } = refusals[reason];
  return { status, body: layout(assets, message, null) };
}

export function troublePage(assets: string, message: Message): string {
  return layout(assets, message, null);
}

function layout(
  assets: string,
  { title, text }: Message,
  opener: { readonly message: string; readonly origins: string } | null,
): string {
  const main = html`<main><h1>${title}</h1><p>${text}</p></main>`;
  const body =
    opener === null
      ? html`<body>${main}</body>`
      : html`<body data-message="${opener.message}" data-origins="${opener.origins}">${main}<script src="${assets}/return.js"></script></body>`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${assets}/return.css">
  </head>
  ${body}
</html>
`.markup;
}
