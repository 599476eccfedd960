import type { AnswerRecord } from "../wire/message.ts";
import { isProxyAddress } from "./detect.ts";

/** Where a name's visitors are meant to go. */
export interface ServicePlace {
  readonly name: string;
  /** The targets that the name may lead to beside itself. */
  readonly targets: readonly string[];
  readonly addresses: ReadonlySet<string>;
}

const httpsPort = "443";

/**
 * Whether browsers that read this HTTPS record go elsewhere than the name's addresses (RFC 9460): to
 * another target or port, to addresses in its hints, or with a key that our edge does not have (ECH). A
 * proxy that makes the record itself takes it away when it is switched off.
 */
export function leadsElsewhere({ value, priority }: AnswerRecord, place: ServicePlace): boolean {
  const [target = ".", ...parameters] = value.split(" ");
  const isOwn = target === place.name || place.targets.includes(target);
  // Alias mode (§2.4.2): only the target counts, and "." means that there is no service.
  if (priority === 0) return !isOwn;
  const hints = [...valuesOf(parameters, "ipv4hint"), ...valuesOf(parameters, "ipv6hint")];
  if (hints.length > 0 && hints.every(isProxyAddress)) return false;
  return (
    (target !== "." && !isOwn) ||
    hints.some((address) => !place.addresses.has(address)) ||
    valuesOf(parameters, "port").some((port) => port !== httpsPort) ||
    valuesOf(parameters, "ech").length > 0
  );
}

function valuesOf(parameters: readonly string[], key: string): readonly string[] {
  const found = parameters.find((parameter) => parameter.startsWith(`${key}=`));
  return found === undefined ? [] : found.slice(key.length + 1).split(",");
}
