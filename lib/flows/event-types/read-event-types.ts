import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import {
  type EventPlace,
  type EventTypeDetail,
  type EventTypeItem,
  eventTypeItem,
  type FieldFormat,
  type JsonType,
  type SchemaChange,
  type SchemaField,
  type SchemaPin,
} from "#lib/contracts/event-types";
import { answered } from "#lib/db/columns";
import { listDrifts } from "#lib/event-types/drift-store";
import { listChanges, listVersions } from "#lib/event-types/history-store";
import { tellableValues } from "#lib/event-types/live-field";
import { seenOf } from "#lib/event-types/merge";
import { splitPath } from "#lib/event-types/paths";
import { allowedWords } from "#lib/event-types/pins";
import type { EventRef, FieldPath, FieldStats, Occurrences, SchemaTree } from "#lib/event-types/schema";
import { type FieldSetting, findSchema, type ListedSchema, listSchemas, type StoredSchema } from "#lib/event-types/schema-store";
import { showOperation } from "#lib/flows/operations/operations";
import { listOperations } from "#lib/operations/operation-store";
import { listEventTypes } from "#lib/platform/event-catalogue";
import { listReadings } from "#lib/sources/reading-store";

type Which = { source?: string | undefined; type?: string | undefined };

/** Returns the types that were received, by source, and those of the platform's catalogue that were not. */
export async function readEventTypes(workspaceId: WorkspaceId, which: Which = {}): Promise<EventTypeItem[]> {
  const [schemas, readings] = await Promise.all([listSchemas(workspaceId, which), listReadings(workspaceId)]);
  const ofPlatform = (sourceId: string) => (readings.get(sourceId)?.records ?? "platform") === "platform";
  const items = schemas.map((schema) => itemOf(schema, ofPlatform(schema.sourceId)));
  if (which.source !== undefined) return items;
  const seen = new Set(schemas.filter(({ sourceId }) => ofPlatform(sourceId)).map(({ type }) => type));
  const unseen = listEventTypes().filter(({ type }) => !seen.has(type) && (which.type === undefined || which.type === type));
  return [...items, ...unseen.map((documented) => ({ ...documented, ...UNSEEN }))];
}

const UNSEEN = {
  ...{ id: null, source: null, variant: null, state: "unseen" as const, events: 0, fields: 0, version: null },
  ...{ firstEventAt: null, lastEventAt: null, lastChangeAt: null, drift: { breaking: 0, warning: 0, info: 0 } },
};

const documentedOf = new Map(listEventTypes().map((documented) => [documented.type, documented]));

function itemOf(listed: ListedSchema, ofPlatform: boolean): EventTypeItem {
  const { type, variant, state, isPinned, breaking, warning, info } = listed;
  const documented = ofPlatform ? documentedOf.get(type) : undefined;
  return answered(eventTypeItem, {
    ...(documented ?? { title: type, meaning: "", subject: "", reportsFailure: false, dataSchema: null }),
    ...listed,
    variant: variant === "" ? null : variant,
    state: state === "not_learnt" ? "not_learnt" : isPinned ? "pinned" : "observed",
    drift: { breaking, warning, info },
  });
}

/** Returns one type with its fields; null without it. */
export async function readEventType(workspaceId: WorkspaceId, id: string): Promise<EventTypeDetail | null> {
  const [[listed], schema, drifts, versions, operations, readings] = await Promise.all([
    listSchemas(workspaceId, { id }),
    findSchema(workspaceId, id),
    listDrifts(workspaceId, id),
    listVersions(workspaceId, id),
    listOperations(workspaceId, "relearn", { limit: RELEARNS }),
    listReadings(workspaceId),
  ]);
  if (!listed || !schema) return null;
  const relearn = operations.data.find(({ input }) => (input as { schemaId?: string }).schemaId === id);
  return {
    ...itemOf(listed, (readings.get(listed.sourceId)?.records ?? "platform") === "platform"),
    id,
    tree: treeOf(schema.tree, schema.settings),
    fieldsLeftOut: schema.tree.full,
    walked: schema.tree.walked,
    drifts,
    versions,
    pin: pinOf(schema),
    relearn: relearn ? showOperation(relearn) : null,
  };
}

const RELEARNS = 20;

export async function readSchemaHistory(
  workspaceId: WorkspaceId,
  id: string,
  { limit, cursor, ...filter }: Paging & { path?: string | undefined; event?: string | undefined },
): Promise<Page<SchemaChange> | null> {
  const [known] = await listSchemas(workspaceId, { id });
  return known ? listChanges(workspaceId, id, filter, { limit, cursor }) : null;
}

const placeOf = ([id, at]: EventRef): EventPlace => ({ id, at: new Date(at).toISOString() });
const countedOf = ({ n, first, last }: Occurrences) => ({ count: n, first: placeOf(first), last: placeOf(last) });

/** Lists the fields in the order of a tree, keys sorted. */
export function treeOf(tree: SchemaTree, settings: readonly FieldSetting[]): SchemaField[] {
  const settingOf = new Map(settings.map((setting) => [setting.path, setting]));
  const depths = new Map<FieldPath, number>();
  return inTreeOrder(tree).map((path) => {
    const split = splitPath(path);
    const depth = split === null ? 0 : (depths.get(split.parent) ?? 0) + 1;
    depths.set(path, depth);
    const stats = tree.fields[path] as FieldStats;
    const { ignored = false, map = false, notEnumeration = false } = settingOf.get(path) ?? {};
    return {
      ...{ path, parent: split?.parent ?? null, key: split?.key ?? path, depth },
      ...fieldOf(stats, seenOf(tree, path)),
      settings: { ignored, map: map || tree.maps.includes(path), notEnumeration },
    };
  });
}

function inTreeOrder(tree: SchemaTree): FieldPath[] {
  const children = Map.groupBy(Object.keys(tree.fields), (path) => splitPath(path)?.parent ?? "");
  const listed: FieldPath[] = [];
  const list = (path: FieldPath) => {
    listed.push(path);
    for (const child of (children.get(path) ?? []).sort()) list(child);
  };
  for (const root of children.get("") ?? []) list(root);
  return listed;
}

function fieldOf(stats: FieldStats, seen: number): Omit<SchemaField, "path" | "parent" | "key" | "depth" | "settings"> {
  const { n, types, formats, length, elements, number, first, last } = stats;
  const named = (bounds: readonly [number, number] | undefined) => (bounds ? { min: bounds[0], max: bounds[1] } : null);
  return {
    ...{ seen: Math.max(seen, n), present: n, first: placeOf(first), last: placeOf(last) },
    types: (Object.entries(types) as [JsonType, Occurrences][]).map(([type, found]) => ({ type, ...countedOf(found) })),
    formats: (Object.entries(formats) as [FieldFormat, Occurrences][]).map(([format, found]) => ({ format, ...countedOf(found) })),
    length: named(length),
    elements: named(elements),
    number: number ? { min: number[0], max: number[1] } : null,
    values: tellableValues(stats)?.map(({ text, ...found }) => ({ value: text, ...countedOf(found) })) ?? null,
  };
}

function pinOf({ pin, watch, tree }: StoredSchema): SchemaPin | null {
  if (!pin) return null;
  const violations = Object.entries(pin.fields).flatMap(([path, { usual }]) =>
    Object.entries(watch.deviations[path] ?? {}).map(([outcome, { n, units }]) => ({
      path,
      expected: allowedWords(usual),
      observed: outcome === "value" ? "another value" : outcome,
      count: n,
      firstEvent: units[0] ? placeOf(units[0].event) : null,
    })),
  );
  const { version, file, hash, at, by } = pin;
  return { version, file, hash, pinnedAt: at, pinnedBy: by, violations: tree.events === 0 ? [] : violations };
}
