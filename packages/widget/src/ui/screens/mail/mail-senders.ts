import type { SendingDomain } from "@mooring/sdk";

/** The services that only send, in the order in which they are offered. */
export const senders: readonly (readonly [SendingDomain["provider"], string])[] = [
  ["resend", "Resend"],
  ["postmark", "Postmark"],
  ["ses", "Amazon SES"],
  ["mailgun", "Mailgun"],
  ["sendgrid", "SendGrid"],
  ["brevo", "Brevo"],
];

/** Empty for a mailbox provider. */
export function senderName(provider: string): string {
  return senders.find(([slug]) => slug === provider)?.[1] ?? "";
}
