import type { Translate } from "../locales/translate.ts";
import type { Happening } from "../machine/happenings.ts";
import type { State } from "../machine/state.ts";

/** What every screen is drawn from. */
export interface Ui {
  readonly state: State;
  readonly t: Translate;
  readonly locale: string;
  readonly send: (happening: Happening) => void;
  /** The product's name, as the customer knows it. */
  readonly brand: string;
  /** Says it to screen readers. */
  readonly say: (text: string) => void;
}

/** The domain at hand, as far as it is known. */
export function domainOf({ connection, check, input }: State): string {
  return connection?.hostname ?? check?.domain ?? input;
}

export function providerOf({ check, connection }: State): string | null {
  return check?.provider ?? connection?.provider ?? null;
}
