import * as z from "zod/mini";
import { text } from "../api/parameters.ts";

/** States of another platform's documents, in the order of a document's life: of events of one second the later state wins. */
export const DOCUMENT_STATES = [
  "draft",
  "uploaded",
  "sent",
  "viewed",
  "signed",
  "processed",
  "completed",
  "declined",
  "cancelled",
  "expired",
  "error",
  "deleted",
] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];
const isDocumentState = (state: string) => DOCUMENT_STATES.some((known) => known === state);

const dataPath = text(200).check(z.minLength(1));
const MAX_WORDS = 100;
const MAX_FACTS = 20;
const senderWord = text(200).check(z.minLength(1));
const factName = text(40).check(
  z.regex(/^[a-z][A-Za-z0-9]*$/, "must be letters and digits, such as decidedBy"),
  z.refine((name) => !["state", "senderState", "source", "kind", "recordId", "title", "name"].includes(name), {
    error: "is a field that every record has. Choose another name.",
  }),
);

/** Record that `records: generic` or `documents` makes of an event that holds its ID. Documents are of the kind `document`. */
export const recordSettings = z
  .strictObject({
    kind: text(40).check(z.regex(/^[a-z][a-z0-9_-]*$/, "must be lowercase letters, digits, - and _, such as customer")),
    id: dataPath,
    /** Paths that are tried before `id`: some events name the record's ID elsewhere. */
    ids: z.optional(z.array(dataPath).check(z.maxLength(5))),
    /** Types of the events that are meant; `file.*` is every type with that beginning. All unless given. */
    types: z.optional(z.array(senderWord).check(z.maxLength(50))),
    /** Where the sender's word for the state stands. */
    state: z.optional(dataPath),
    /** The sender's words -> ours: event types first, then what stands at `state`. Words that are missing leave the state as it is. */
    states: z.optional(
      z.record(senderWord, text(40)).check(z.refine((states) => Object.keys(states).length <= MAX_WORDS, `has at most ${MAX_WORDS} words`)),
    ),
    /** Without it the ID names the record. */
    title: z.optional(dataPath),
    /** More fields of the record -> paths in the event's data. */
    facts: z.optional(
      z.record(factName, dataPath).check(z.refine((facts) => Object.keys(facts).length <= MAX_FACTS, `has at most ${MAX_FACTS} fields`)),
    ),
  })
  .check(
    z.refine(({ kind, states = {} }) => kind !== "document" || Object.values(states).every(isDocumentState), {
      path: ["states"],
      error: `of documents are ${DOCUMENT_STATES.join(", ")}`,
    }),
  );
export type RecordSettings = z.infer<typeof recordSettings>;
