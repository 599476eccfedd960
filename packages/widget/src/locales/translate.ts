import type { MessageKey, Messages } from "./en.ts";

export type Params = Readonly<Record<string, string | number>>;

export type Translate = (key: MessageKey, params?: Params) => string;

export interface Words {
  readonly t: Translate;
  /** More of the same language; what was said before stays. */
  readonly add: (messages: Partial<Messages>) => void;
}

/** Fills `{name}` in; what is filled in is text and never markup. */
export function createWords(first: Partial<Messages>): Words {
  const known = new Map<string, string>(Object.entries(first));
  return {
    t: (key, params = {}) =>
      (known.get(key) ?? "").replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
        String(params[name] ?? whole),
      ),
    add(messages) {
      for (const [key, text] of Object.entries(messages)) if (!known.has(key)) known.set(key, text);
    },
  };
}
