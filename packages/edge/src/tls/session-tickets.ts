import { createHash, hkdfSync, randomBytes } from "node:crypto";
import type { SecureContext } from "node:tls";

/** A secret from which the ticket keys of every host are derived. */
export interface TicketSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/**
 * The one claim and certificate that a ticket resumes. No other host, no later claim of the same
 * name and no other certificate has the same keys.
 */
export interface TicketBinding {
  readonly tenantId: string;
  readonly hostname: string;
  readonly epoch: number;
  /** In PEM. */
  readonly chain: string;
}

/** What a context needs to seal and open the tickets of one host. */
export interface SessionTickets {
  /** The secret that seals comes first; a new array after every change. */
  readonly secrets: () => readonly TicketSecret[];
  readonly binding: TicketBinding;
}

interface TicketKey {
  /** In the clear at the beginning of every ticket. */
  readonly name: Buffer;
  readonly mac: Buffer;
  readonly cipher: Buffer;
}

const nameBytes = 16;
const macBytes = 32;
const cipherBytes = 16;
const ivBytes = 16;

/** Results of OpenSSL's callback for ticket keys. */
const unknownTicket = 0;
const sealed = 1;
/**
 * The session is resumed, and a new ticket follows: one is used only once (RFC 8446 appendix C.4).
 */
const openedAndRenewed = 2;

/**
 * Makes the context issue and accept tickets. Node's `ticketKeys` takes one key, so that no ticket
 * would survive a change of keys; its callback, which its own tests use, gives the key for each
 * ticket.
 */
export function enableTickets(context: SecureContext, tickets: SessionTickets): void {
  const deriveKeys = createDerivation(tickets);
  const native = context.context;
  native.onticketkeycallback = (name: Buffer, _iv: Buffer, isNew: boolean) => {
    const keys = deriveKeys();
    const [first] = keys;
    if (isNew) return [sealed, first.mac, first.cipher, first.name, randomBytes(ivBytes)];
    const known = keys.find((key) => key.name.equals(name));
    if (known === undefined) return [unknownTicket, first.mac, first.cipher];
    return [openedAndRenewed, known.mac, known.cipher];
  };
  native.enableTicketKeyCallback();
}

/** Says to OpenSSL to which host a session belongs: at most 32 bytes. */
export function deriveSessionIdContext(binding: TicketBinding): string {
  return createHash("sha256").update(derivationInfo(binding)).digest("base64url").slice(0, 32);
}

type Keys = readonly [TicketKey, ...TicketKey[]];

/** Derives the keys of the binding once for every set of secrets. */
function createDerivation({ secrets, binding }: SessionTickets): () => Keys {
  const info = derivationInfo(binding);
  let from: readonly TicketSecret[] | null = null;
  let keys: Keys | null = null;
  return () => {
    const now = secrets();
    if (keys !== null && from === now) return keys;
    const [first, ...others] = now.map(({ secret }) => derive(secret, info));
    if (first === undefined) throw new Error("there is no ticket secret");
    from = now;
    keys = [first, ...others];
    return keys;
  };
}

function derive(secret: Buffer, info: string): TicketKey {
  const length = nameBytes + macBytes + cipherBytes;
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", info, length));
  return {
    name: bytes.subarray(0, nameBytes),
    mac: bytes.subarray(nameBytes, nameBytes + macBytes),
    cipher: bytes.subarray(nameBytes + macBytes),
  };
}

function derivationInfo({ tenantId, hostname, epoch, chain }: TicketBinding): string {
  const digest = createHash("sha256").update(chain).digest("hex");
  // HKDF takes at most 1,024 bytes; a hostname has at most 253.
  return `mooring/ticket/v1|${tenantId}|${hostname}|${epoch}|${digest}`;
}
