import { fieldForm, fieldLabel } from "#components/views/detail/field-labels";
import { lineOf, shareWords, sizeWords } from "#components/views/field-text";
import { stateWord } from "#components/views/view-labels";
import type { TimelineChange } from "#lib/contracts/views";

const LONGEST = 60;
const PASSED_OVER = /^(data\.|stage:|fromStage$|metadata$)/;

/** Returns changes as "Stage: Approval to Paid". Times and names of other records are left out, because they are shown next to it. */
export const changeWords = (changes: readonly TimelineChange[]): string[] =>
  changes.flatMap((change) => {
    const form = fieldForm(change.field);
    if (PASSED_OVER.test(change.field) || form === "time" || form === "document" || form === "pipeline" || form === "automation") return [];
    return [`${fieldLabel(change.field)}: ${sides(change)}`];
  });

function sides({ field, before, after }: TimelineChange): string {
  const [was, is] = [valueWords(field, before), valueWords(field, after)];
  if (is === null) return "cleared";
  return was === null ? is : `${was} to ${is}`;
}

function valueWords(field: string, value: unknown): string | null {
  const form = fieldForm(field);
  if (form === "state" && typeof value === "string") return stateWord(value);
  const line = form === "size" ? sizeWords(value) : form === "share" ? shareWords(value) : lineOf(value);
  return line !== null && line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
