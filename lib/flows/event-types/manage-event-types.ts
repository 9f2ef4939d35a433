import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { AppError, expectFound, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventTypeDetail, SchemaVersion } from "#lib/contracts/event-types";
import { inTransaction, pool } from "#lib/db/pool";
import { listDrifts } from "#lib/event-types/drift-store";
import { findVersionTree, insertChanges, insertVersion, listVersions } from "#lib/event-types/history-store";
import type { Watch } from "#lib/event-types/learn";
import { foldMaps } from "#lib/event-types/merge";
import { bitsWith, type Outcome } from "#lib/event-types/outcomes";
import { pinFromFile, pinOf } from "#lib/event-types/pins";
import type { FieldPath, SchemaTree } from "#lib/event-types/schema";
import { lockSchemas, type StoredPin, type StoredSchema, saveSetting, saveTold } from "#lib/event-types/schema-store";
import { schemaHash } from "#lib/event-types/writers/described-types";
import { pinnedSchema } from "#lib/event-types/writers/pinned-schema";
import { versionSchema } from "./export-schemas.ts";
import { withMaps } from "./learn-event-types.ts";
import { readEventType } from "./read-event-types.ts";
import { endDrifts } from "./record-drift.ts";

type Change<T> = (client: pg.PoolClient, schema: StoredSchema) => Promise<T>;

/** @throws AppError `not_found` */
async function changing<T>(workspaceId: WorkspaceId, id: string, change: Change<T>): Promise<T> {
  return inTransaction(pool(), async (client) => {
    const [schema] = await lockSchemas(client, [id]);
    if (!schema || schema.workspaceId !== workspaceId) throw new AppError("not_found", "There is no event type with that ID.");
    return change(client, schema);
  });
}

/** @throws AppError `not_found` */
export const expectEventType = (workspaceId: WorkspaceId, id: string): Promise<EventTypeDetail> =>
  expectFound(readEventType(workspaceId, id), "event type with that ID");

const targetOf = ({ id, type }: StoredSchema) => ({ kind: "event_type", id, name: type });

const changeOf = ({ id, workspaceId }: StoredSchema) => ({
  schemaId: id,
  workspaceId,
  path: null,
  detail: null,
  eventId: null,
  eventAt: null,
});

/** "This is how it is now": what the open drifts saw is usual from now on, and makes a version. */
export async function acceptDrift(
  { workspaceId, actor, now, audit }: Context,
  id: string,
  driftIds: string[] | undefined,
): Promise<EventTypeDetail> {
  const by = actorName(actor);
  await changing(workspaceId, id, async (client, schema) => {
    const open = (await listDrifts(workspaceId, id, client)).filter(({ state }) => state === "open");
    const accepted = open.filter((drift) => driftIds === undefined || driftIds.includes(drift.id));
    if (accepted.length === 0) return audit.unchanged();
    const ids = new Set(accepted.map((drift) => drift.id));
    const watch = acceptedWatch(schema, ids);
    await saveTold(client, { ...schema, watch });
    await endDrifts(client, [...ids], "accepted", by, now);
    const { version } = await addVersion(client, schema, "accepted", by);
    const after = { fields: accepted.map(({ path, kind }) => `${path}: ${kind}`), version: version.number };
    await audit.record({ action: "event_type.accepted", target: targetOf(schema), after }, client);
  });
  return expectEventType(workspaceId, id);
}

function acceptedWatch({ tree, watch: { usual, deviations } }: StoredSchema, drifts: ReadonlySet<string>): Watch {
  const accepted: Watch = { usual: { ...usual }, deviations: {} };
  for (const [path, outcomes] of Object.entries(deviations))
    for (const [outcome, watched] of Object.entries(outcomes)) {
      if (watched.drift !== undefined && drifts.has(watched.drift))
        accepted.usual[path] = (accepted.usual[path] ?? 0) | bitsWith(outcome as Outcome, tree.fields[path]);
      else accepted.deviations[path] = { ...accepted.deviations[path], [outcome]: watched };
    }
  return accepted;
}

/** Makes a version, unless the newest says the same and, pinned, asks the same of events: a schema does not name all formats that a pin knows. */
async function addVersion(
  client: pg.PoolClient,
  { id, workspaceId, tree }: StoredSchema,
  reason: SchemaVersion["reason"],
  by: string,
): Promise<{ version: SchemaVersion; created: boolean }> {
  const [newest] = await listVersions(workspaceId, id, client);
  const hash = schemaHash(versionSchema(tree));
  if (newest?.hash === hash) {
    const before = await findVersionTree(workspaceId, id, newest.number, client);
    if (before && isDeepStrictEqual(pinOf(before), pinOf(tree))) return { version: newest, created: false };
  }
  const number = (newest?.number ?? 0) + 1;
  await insertVersion(client, workspaceId, id, { number, hash, reason, tree, createdBy: by });
  const change = { schemaId: id, workspaceId, path: null, eventId: null, eventAt: null, by };
  await insertChanges(client, [{ ...change, kind: "version_published", detail: `version ${number}` }]);
  const [made] = await listVersions(workspaceId, id, client);
  if (!made) throw new Error("the version was not inserted");
  return { version: made, created: true };
}

export async function publishVersion(
  { workspaceId, actor, audit }: Context,
  id: string,
): Promise<{ version: SchemaVersion; created: boolean }> {
  return changing(workspaceId, id, async (client, schema) => {
    const { version, created } = await addVersion(client, schema, "published", actorName(actor));
    const after = { version: version.number, hash: version.hash };
    if (created) await audit.record({ action: "event_type.published", target: targetOf(schema), after }, client);
    else audit.unchanged();
    return { version, created };
  });
}

type FieldSettings = {
  path: FieldPath;
  ignored?: boolean | undefined;
  map?: boolean | undefined;
  notEnumeration?: boolean | undefined;
};

/** Sets what people say of a field: no drift of it, its keys are data, its values are not kept. */
export async function changeFieldSettings(
  { workspaceId, actor, now, audit }: Context,
  id: string,
  { path, ...wanted }: FieldSettings,
): Promise<EventTypeDetail> {
  const by = actorName(actor);
  await changing(workspaceId, id, async (client, schema) => {
    const before = schema.settings.find((each) => each.path === path) ?? { path, ignored: false, map: false, notEnumeration: false };
    if (!schema.tree.fields[path] && !schema.settings.includes(before)) throw invalidField("path", "This event type has no such field.");
    const after = {
      path,
      ignored: wanted.ignored ?? before.ignored,
      map: wanted.map ?? before.map,
      notEnumeration: wanted.notEnumeration ?? before.notEnumeration,
    };
    if (before.ignored === after.ignored && before.map === after.map && before.notEnumeration === after.notEnumeration)
      return audit.unchanged();
    await saveSetting(client, workspaceId, id, after, by);
    const settings = [...schema.settings.filter((each) => each.path !== path), after];
    const { watch, ended } = after.ignored ? withoutPath(schema.watch, path) : { watch: schema.watch, ended: [] };
    await saveTold(client, { ...schema, tree: withSettings(schema.tree, settings), watch });
    await endDrifts(client, ended, "ignored", by, now);
    await insertChanges(client, [{ ...changeOf(schema), kind: "field_changed", path, detail: settingWords(after), by }]);
    await audit.record({ action: "event_type.field_changed", target: targetOf(schema), before, after }, client);
  });
  return expectEventType(workspaceId, id);
}

const settingWords = ({ ignored, map, notEnumeration }: { ignored: boolean; map: boolean; notEnumeration: boolean }): string =>
  [ignored && "ignored", map && "map", notEnumeration && "not an enumeration"].filter(Boolean).join(", ") || "no setting";

/** Applies what people said of fields to what is stored: maps are folded, values of what is no enumeration go. */
export function withSettings(tree: SchemaTree, settings: StoredSchema["settings"]): SchemaTree {
  const folded = foldMaps(withMaps(tree, { settings }));
  const fields = { ...folded.fields };
  for (const { path, notEnumeration } of settings) if (notEnumeration && fields[path]) fields[path] = { ...fields[path], values: null };
  return { ...folded, fields };
}

function withoutPath({ usual, deviations }: Watch, path: FieldPath): { watch: Watch; ended: string[] } {
  const { [path]: gone, ...rest } = deviations;
  return { watch: { usual, deviations: rest }, ended: Object.values(gone ?? {}).flatMap(({ drift }) => drift ?? []) };
}

type Pin = {
  pinned: boolean;
  version?: number | undefined;
  jsonSchema?: Record<string, unknown> | undefined;
  file?: string | undefined;
};

/** Pins a schema to a version (without one, to what is observed now) or to a JSON Schema, or ends its pin. */
export async function pinSchema({ workspaceId, actor, now, audit }: Context, id: string, wanted: Pin): Promise<EventTypeDetail> {
  const by = actorName(actor);
  await changing(workspaceId, id, async (client, schema) => {
    if (!wanted.pinned && !schema.pin) return audit.unchanged();
    const pin = wanted.pinned ? await newPin(client, schema, wanted, by, now) : null;
    // What deviated from another pin, or from what was usual, is judged again.
    const ended = Object.values(schema.watch.deviations).flatMap((outcomes) => Object.values(outcomes).flatMap(({ drift }) => drift ?? []));
    await saveTold(client, { ...schema, watch: { usual: schema.watch.usual, deviations: {} }, pin });
    await endDrifts(client, ended, "recovered", null, now);
    const detail = pin ? (pin.file ?? (pin.version === null ? "a JSON Schema" : `version ${pin.version}`)) : null;
    await insertChanges(client, [{ ...changeOf(schema), kind: pin ? "pinned" : "unpinned", detail, by }]);
    const action = pin ? "event_type.pinned" : "event_type.unpinned";
    await audit.record({ action, target: targetOf(schema), after: { version: pin?.version ?? null, file: pin?.file ?? null } }, client);
  });
  return expectEventType(workspaceId, id);
}

async function newPin(
  client: pg.PoolClient,
  schema: StoredSchema,
  { version, jsonSchema, file }: Pin,
  by: string,
  now: Date,
): Promise<StoredPin> {
  const about = { at: now.toISOString(), by };
  if (jsonSchema) {
    const fields = pinFromFile(jsonSchema);
    if (typeof fields === "string") throw invalidField("jsonSchema", `Enter a JSON Schema of the events' data. ${fields}`);
    return { ...about, version: null, file: file ?? null, hash: schemaHash(pinnedSchema(fields)), fields };
  }
  if (version === undefined) {
    const { version: made } = await addVersion(client, schema, "published", by);
    return { ...about, version: made.number, file: null, hash: made.hash, fields: pinOf(schema.tree) };
  }
  const found = (await listVersions(schema.workspaceId, schema.id, client)).find(({ number }) => number === version);
  const tree = found && (await findVersionTree(schema.workspaceId, schema.id, version, client));
  if (!tree) throw invalidField("version", "This event type has no such version.");
  return { ...about, version, file: null, hash: found.hash, fields: pinOf(tree) };
}
