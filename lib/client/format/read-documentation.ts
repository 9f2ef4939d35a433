import type { EventTypeDetail } from "#lib/contracts/event-types";
import { differencesOf, documentedFields, isUndocumented, type SchemaDifference } from "#lib/contracts/schemas/differences";
import { dataPart, outermost, readDocument } from "#lib/contracts/schemas/document";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";

/** What a sender's file says of a type: the part that a pin takes, and how it differs from what was seen. `notes`: what of it is not used. */
export type Documentation = { file: string; name: string; schema: FieldSchema; notes: string[]; differences: SchemaDifference[] };

/** @throws Error that says what is wrong with the file */
export async function readDocumentation(file: File, detail: Pick<EventTypeDetail, "type" | "tree">): Promise<Documentation> {
  if (file.size > MAX_FILE_MB * 1_048_576) throw new Error(`The file is larger than ${MAX_FILE_MB} MB.`);
  const documented = readDocument(await parsed(file), detail.type);
  if (documented.outcome === "unreadable") throw new Error(documented.detail);
  const { name, schema: whole } = documented;
  // Some describe the whole body, some its data alone: the one that names more of what was seen is meant.
  const [best] = [whole, dataPart(whole, "data")]
    .map((part) => outermost(part, MAX_PINNED))
    .map((part) => ({ ...part, named: documentedFields(part.schema, detail.tree).seen.size }))
    .sort((a, b) => b.named - a.named);
  const { schema, leftOut } = best as NonNullable<typeof best>;
  const notes = [...documented.notes, ...(leftOut ? [`Its ${MAX_PINNED} outermost fields are checked.`] : [])];
  return { file: file.name, name, schema, notes, differences: differencesOf(schema, detail.tree).filter((each) => !isUndocumented(each)) };
}

const MAX_FILE_MB = 32;
/** As many fields as are learnt of a type. */
const MAX_PINNED = 400;

/** Senders publish OpenAPI in both forms. */
async function parsed(file: File): Promise<unknown> {
  const text = await file.text().catch(() => {
    throw new Error("The file can't be read.");
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/\.json$/i.test(file.name)) throw new Error(`The file is not JSON. ${(error as Error).message}`);
  }
  const { parse } = await import("yaml");
  try {
    // An alias is the object that it names, however often it is used.
    return parse(text, { maxAliasCount: -1, logLevel: "error" });
  } catch (error) {
    throw new Error(`The file is neither JSON nor YAML. ${(error as Error).message.split(":\n")[0]}.`);
  }
}
