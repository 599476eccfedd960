import { enFirst } from "./en-first.ts";
import { enLater } from "./en-later.ts";

/** The widget's words. The keys are the type that every other language must have. */
export const en = { ...enFirst, ...enLater } as const;

export type MessageKey = keyof typeof enFirst | keyof typeof enLater;

/** `en` is the type: a language that lacks a key does not compile. */
export type Messages = Readonly<Record<MessageKey, string>>;
