import type { MailboxKey } from "./presets.ts";

type MxKind =
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

/** The operator of an MX host, judged by its name. */
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
  if (host === ".") return { kind: "none", provider: null, name: "no mail server" };
  const mailbox = mailboxes.find(([pattern]) => pattern.test(host));
  if (mailbox !== undefined) return { kind: "mailbox", provider: mailbox[1], name: mailbox[2] };
  const other = others.find(([pattern]) => pattern.test(host));
  if (other !== undefined) return { kind: other[1], provider: null, name: other[2] };
  return { kind: "unknown", provider: null, name: host };
}

/** RFC 1035 §2.3.4. */
const maxLabelOctets = 63;

/**
 * The first label of the MX host that Exchange Online had for a domain until 2026; newer domains
 * have hosts that cannot be derived. Dots become dashes; the positions of dashes are encoded as a
 * map of bits, four positions a letter, behind a `0`. For recognising and proposing only: the rule
 * was read off published zones. Null when there can be no such label.
 */
export function microsoftToken(domain: string): string | null {
  const name = domain.toLowerCase();
  const base = name.replaceAll("-", "").replaceAll(".", "-");
  const token = name.includes("-") ? `${base}0${dashMap(name)}` : base;
  return token.length <= maxLabelOctets ? token : null;
}

function dashMap(name: string): string {
  const groups: number[] = [];
  for (const [at, letter] of [...name].entries()) {
    const group = Math.floor(at / 4);
    groups[group] = (groups[group] ?? 0) + (letter === "-" ? 2 ** (at % 4) : 0);
  }
  let text = "";
  let skipped = 0;
  for (const bits of groups) {
    if (bits === 0) skipped += 1;
    else {
      text += `${skipped === 0 ? "" : skipped}${String.fromCharCode("a".charCodeAt(0) + bits)}`;
      skipped = 0;
    }
  }
  return text;
}

export function derivedMicrosoftMx(domain: string): string | null {
  const token = microsoftToken(domain);
  return token === null ? null : `${token}.mail.protection.outlook.com`;
}
