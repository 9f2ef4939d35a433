import type { ViewField, ViewRecord } from "#lib/contracts/views";

/** `before` is null if the field had no value. */
export type FieldChange = { field: string; before: ViewField | null; after: ViewField; changed: boolean };

/** Returns the fields set between two times, newest first. `changed` is false if an event set the same value again. */
export function changesBetween(before: Pick<ViewRecord, "fields"> | null, after: Pick<ViewRecord, "fields">): FieldChange[] {
  return Object.entries(after.fields)
    .flatMap(([field, now]): FieldChange[] => {
      const was = before?.fields[field] ?? null;
      if (was && was.eventId === now.eventId && sameValue(was.value, now.value)) return [];
      return [{ field, before: was, after: now, changed: !was || !sameValue(was.value, now.value) }];
    })
    .sort((a, b) => b.after.at.localeCompare(a.after.at) || (a.field < b.field ? -1 : 1));
}

const sameValue = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
