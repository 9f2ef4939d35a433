import { idText } from "#lib/contracts/json/numbers";
import { valueAt } from "#lib/platform/field-names";
import type { GenericRecords } from "#lib/platform/reading/source-reading";
import { type FoldableEvent, keyText, type Plan, type Write } from "./plan.ts";
import type { Register } from "./register.ts";
import { restOf } from "./rest-fields.ts";
import { FREE_BYTES, NAMED_BYTES, registerText, storable, within } from "./storable.ts";

const MAX_STATE = 100;

/** Plans an event by its source's setting. An event without the setting's ID touches nothing. */
export function planGeneric({ eventId, created, data }: FoldableEvent, { source, kind, id, state, title }: GenericRecords): Plan {
  const found = idText(valueAt(data, id));
  if (found === undefined) return { outcome: "touches", touches: [], refs: [] };
  const writer = (v: unknown): Register => ({ v, at: created, rank: 0, id: eventId });
  const facts = { source, kind, recordId: found, state: stateOf(data, state), title: title && valueAt(data, title) };
  const writes: Write[] = Object.entries(facts).flatMap(([field, value]) =>
    value === undefined || value === null || value === "" ? [] : [{ field, register: writer(within(NAMED_BYTES, storable(value))) }],
  );
  const used = new Set([id, state, title].filter((path) => path !== undefined));
  const containers = new Set([...used].flatMap(containersOf));
  for (const { field, value } of restOf(data, { paths: NONE, containers }, used))
    writes.push({ field, register: writer(within(FREE_BYTES, storable(value))) });
  const key = keyText(`${source}:${kind}:${found}`);
  return { outcome: "touches", touches: [{ kind: "record", id: key, writes }], refs: [{ kind: "record", id: key }] };
}

const NONE: ReadonlySet<string> = new Set();

function stateOf(data: Record<string, unknown>, path: string | undefined): string | undefined {
  const value = path === undefined ? undefined : valueAt(data, path);
  const text = typeof value === "boolean" ? String(value) : idText(value);
  return text && registerText(text).slice(0, MAX_STATE).toWellFormed();
}

const containersOf = (path: string) =>
  path
    .split(".")
    .slice(1)
    .map((_, at) =>
      path
        .split(".")
        .slice(0, at + 1)
        .join("."),
    );
