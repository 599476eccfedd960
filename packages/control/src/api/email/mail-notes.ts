import { type MailNote, mailNoteText } from "@mooring/dns";
import { z } from "zod";
import { fillIn } from "../../domain/locales/languages.ts";
import { shownNames } from "../../domain/locales/names.ts";
import { noteTexts } from "../../domain/locales/notes/texts.ts";

/** What a person who sets mail up has to know, for those who know mail and for customers. */
export const noteFields = {
  notes: z.array(z.string()).describe("Whole sentences for the person who sets mail up"),
  note_details: z
    .array(
      z.object({
        code: z.string(),
        params: z.record(z.string(), z.string()),
        message: z.string().describe("In the customer's words"),
      }),
    )
    .describe("The same notes for a customer; code and parameters give a text in any language"),
};

/** A row may have codes of a later release, which are left out. */
export function noteDetails(notes: readonly MailNote[]) {
  const known = notes.filter(({ code }) => Object.hasOwn(noteTexts.en, code));
  return known.map(({ code, params }) => ({
    code,
    params: { ...params },
    message: fillIn(noteTexts.en[code], shownNames(params)),
  }));
}

export function noteBodies(notes: readonly MailNote[]) {
  return { notes: notes.map(mailNoteText), note_details: noteDetails(notes) };
}
