import type { EdgeRules } from "../hosts/application-rules.ts";
import type { Host } from "../hosts/host.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Fields } from "../http/fields.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { RequestRules, RuleRefusal } from "../rules/request-rules.ts";
import { ExchangeWrapper } from "./exchange-wrapper.ts";
import type { ForwardContext } from "./forward/forward.ts";
import { sendErrorPage } from "./response/error-page.ts";
import { recordRefusal } from "./response/refusal.ts";

type RuleContext = Pick<ForwardContext, "client" | "stats" | "log"> & {
  readonly rules: RequestRules;
};

/** Calls `pass` for a request that its host's rules let through; answers any other itself. */
export function serveUnderRules(
  exchange: Exchange,
  { host, rules }: { readonly host: Host; readonly rules: EdgeRules },
  context: RuleContext,
  pass: () => void,
): void {
  const { head, remoteAddress } = exchange;
  const visitor = context.client(head.fields, remoteAddress).address;
  const decided = context.rules.decide({ host, rules, visitor, fields: head.fields });
  const answer = (refusal: RuleRefusal | null): void => {
    if (refusal === null) pass();
    else answerRefusal(exchange, host, refusal, context);
  };
  if (!(decided instanceof Promise)) {
    answer(decided);
    return;
  }
  let isGone = false;
  exchange.listen({
    onDrain: () => undefined,
    onClosed() {
      isGone = true;
    },
  });
  decided.then(
    (refusal) => {
      if (!isGone) answer(refusal);
    },
    (error: unknown) => {
      context.log.error({ host: host.hostname, err: error }, "rules not decided");
      answerRefusal(exchange, host, undecided, context);
    },
  );
}

const undecided = {
  rule: null,
  status: 503,
  reason: "the rules could not be decided",
  fields: ["retry-after", "1"],
} as const;

function answerRefusal(
  exchange: Exchange,
  { hostname: host }: Host,
  refusal: RuleRefusal | typeof undecided,
  context: RuleContext,
): void {
  const { rule, status, reason, fields } = refusal;
  const { remoteAddress } = exchange;
  if (rule !== null) context.stats.ruled[rule] += 1;
  const reference = recordRefusal({ status, reason, host, remoteAddress }, context);
  if (rule !== "maintenance") {
    sendErrorPage(exchange, status, { reference, fields });
    return;
  }
  const own = refusal.text === undefined ? {} : { message: refusal.text };
  sendErrorPage(exchange, status, { reference, fields, page: "maintenance", ...own });
}

/** The exchange without the credentials that were for the edge: the origin does not get them. */
export function withoutCredentials(exchange: Exchange): Exchange {
  return new SignedInExchange(exchange);
}

class SignedInExchange extends ExchangeWrapper {
  readonly #head: RequestHead;

  constructor(exchange: Exchange) {
    super(exchange);
    this.#head = { ...exchange.head, fields: withoutAuthorization(exchange.head.fields) };
  }

  override get head() {
    return this.#head;
  }
}

function withoutAuthorization(fields: Fields): Fields {
  return fields.filter((_, index) => fields[index - (index % 2)] !== "authorization");
}
