import type { AnswerRecord } from "../wire/message.ts";
import { isProxyAddress } from "./detect.ts";

/** Where a name's visitors are meant to go. */
export interface ServiceTarget {
  readonly name: string;
  /** The targets that the name may lead to beside itself. */
  readonly targets: readonly string[];
  readonly addresses: ReadonlySet<string>;
}

const httpsPort = "443";

/**
 * Whether browsers that read this HTTPS record go elsewhere than the name's addresses (RFC 9460):
 * to another target or port, to addresses in its hints, or with a key that our edge does not have
 * (ECH). A proxy that makes the record itself takes it away when it is switched off.
 */
export function leadsElsewhere({ value, priority }: AnswerRecord, service: ServiceTarget): boolean {
  const [target = ".", ...parameters] = value.split(" ");
  const isOwn = target === service.name || service.targets.includes(target);
  // Alias mode (§2.4.2): only the target counts, and "." means that there is no service.
  if (priority === 0) return !isOwn;
  const hints = [
    ...readParameter(parameters, "ipv4hint"),
    ...readParameter(parameters, "ipv6hint"),
  ];
  if (hints.length > 0 && hints.every(isProxyAddress)) return false;
  return (
    (target !== "." && !isOwn) ||
    hints.some((address) => !service.addresses.has(address)) ||
    readParameter(parameters, "port").some((port) => port !== httpsPort) ||
    readParameter(parameters, "ech").length > 0
  );
}

function readParameter(parameters: readonly string[], key: string): readonly string[] {
  const found = parameters.find((parameter) => parameter.startsWith(`${key}=`));
  return found === undefined ? [] : found.slice(key.length + 1).split(",");
}
