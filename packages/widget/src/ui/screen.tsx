import { typedName } from "../domain-name.ts";
import type { Child } from "../jsx-runtime.ts";
import type { Translate } from "../locales/messages.ts";
import type { MachineEvent } from "../machine/event.ts";
import type { State } from "../machine/state.ts";
import { toUnicode } from "../unicode-name.ts";

/** The properties of every screen. */
export interface Ui {
  readonly state: State;
  readonly t: Translate;
  readonly locale: string;
  readonly send: (event: MachineEvent) => void;
  /** The product's name, as the customer knows it. */
  readonly brand: string;
  /** The domain that was probably meant; null when the text is fine. */
  readonly didYouMean: (text: string) => string | null;
  /** Where the customer visits a domain. */
  readonly visitUrl: (domain: string) => string;
  /** Announces a text to screen readers. */
  readonly say: (text: string) => void;
}

/** The current domain as it is read: the connection's, the checked one, or what was typed. */
export function shownDomain({ connection, check, input }: State): string {
  return toUnicode(connection?.hostname ?? check?.domain ?? typedName(input));
}

export function providerOf({ check, connection }: State): string | null {
  return check?.provider ?? connection?.provider ?? null;
}

/** The layout of every screen: a heading that gets the focus, content, and actions. */
export function Screen({
  title,
  lede,
  art,
  children,
  actions,
}: {
  readonly title: string;
  readonly lede?: Child;
  /** A picture above the heading, for the end screens. */
  readonly art?: Child;
  readonly children?: Child;
  readonly actions?: Child;
}) {
  return (
    <>
      <div class={art === undefined ? "content" : "content is-end"}>
        {art}
        <h2 class="title" id="svc-title" tabIndex={-1} data-testid="svc-title">
          {title}
        </h2>
        {lede !== undefined && <p class="lede">{lede}</p>}
        {children}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </>
  );
}
