import type { MailboxKey } from "./preset.ts";

export type MxKind =
  | "mailbox"
  /** Filters mail in front of a mailbox provider. */
  | "gateway"
  | "forwarding"
  /** Mailboxes that come with hosting or a registration. */
  | "hosting"
  | "parking"
  /** RFC 7505: the domain takes no mail. */
  | "none"
  | "unknown";

/** Who takes the mail at an MX host, as far as its name tells. */
export interface MxHolder {
  readonly kind: MxKind;
  readonly provider: MailboxKey | null;
  /** For a sentence. */
  readonly name: string;
}

const mailboxes: readonly (readonly [RegExp, MailboxKey, string])[] = [
  [/^smtp\.google\.com$|\.l\.google\.com$|\.googlemail\.com$/, "google_workspace", "Google"],
  [
    /\.mail\.protection\.outlook\.com$|\.mx\.microsoft$|\.mail\.protection\.office365\.us$/,
    "microsoft_365",
    "Microsoft 365",
  ],
  [/^mx\d?\.zoho\.[a-z.]+$|^mx\d?\.zohocloud\.ca$/, "zoho", "Zoho"],
  [/\.messagingengine\.com$/, "fastmail", "Fastmail"],
  [/^mail(?:sec)?\.protonmail\.ch$/, "proton", "Proton"],
  [/^mx\d+\.mail\.icloud\.com$/, "icloud", "iCloud"],
];

const others: readonly (readonly [RegExp, MxKind, string])[] = [
  [
    /\.(?:pphosted|ppe-hosted|mimecast|barracudanetworks|iphmx|messagelabs|hornetsecurity)\.com$|\.mimecast\.co\.za$|\.mxlogic\.net$/,
    "gateway",
    "a mail filter",
  ],
  [
    /\.mx\.cloudflare\.net$|\.improvmx\.com$|\.forwardemail\.net$|\.registrar-servers\.com$/,
    "forwarding",
    "a forwarding service",
  ],
  [
    /\.(?:secureserver\.net|hostinger\.com|ovh\.net|ionos\.[a-z.]+|gandi\.net|one\.com|strato\.de)$/,
    "hosting",
    "the mailboxes of a hosting company",
  ],
  [/^park-mx\.|\.above\.com$/, "parking", "a parking service"],
];

export function mxHolder(host: string): MxHolder {
  if (host === ".") return { kind: "none", provider: null, name: "nobody" };
  const mailbox = mailboxes.find(([pattern]) => pattern.test(host));
  if (mailbox !== undefined) return { kind: "mailbox", provider: mailbox[1], name: mailbox[2] };
  const other = others.find(([pattern]) => pattern.test(host));
  if (other !== undefined) return { kind: other[1], provider: null, name: other[2] };
  return { kind: "unknown", provider: null, name: host };
}
