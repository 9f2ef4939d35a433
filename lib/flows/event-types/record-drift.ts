import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DriftKind, DriftSeverity } from "#lib/contracts/event-types";
import { closeDrifts, countDrifts, insertDrifts, type NewDrift } from "#lib/event-types/drift-store";
import { insertChanges, type NewChange } from "#lib/event-types/history-store";
import type { Found, Learnt } from "#lib/event-types/learn";
import { tellableValues } from "#lib/event-types/live-field";
import { sizeLimitOf } from "#lib/event-types/live-schema";
import { seenOf } from "#lib/event-types/merge";
import { outcomesIn } from "#lib/event-types/outcomes";
import type { EventRef } from "#lib/event-types/schema";
import type { StoredSchema } from "#lib/event-types/schema-store";
import { openAlerts, schemaConditions } from "#lib/flows/alerts/conditions";
import { issueIdOf } from "#lib/issues/issue";
import { insertNoted, settleWhole } from "#lib/issues/issue-event-store";
import { ensureIssues, listOpen, lockIssues, markRecurred, resolveSettled, type Sighting } from "#lib/issues/issue-ledger-store";

type Judged = { schema: StoredSchema; learnt: Learnt };

/** Opens and closes drifts and their issues, in the transaction that stores what was learnt. */
export async function recordDrift(client: pg.PoolClient, judged: Judged[], now: Date): Promise<void> {
  const opened = judged.flatMap(({ schema, learnt }) => learnt.found.map((found) => driftOf(schema, learnt, found)));
  await openDrifts(client, opened, now);
  const recovered = judged.flatMap(({ learnt }) => learnt.recovered);
  await endDrifts(client, recovered, "recovered", null, now);
  await countDrifts(
    client,
    judged.flatMap(({ learnt }) =>
      Object.values(learnt.watch.deviations).flatMap((outcomes) =>
        Object.values(outcomes).flatMap(({ drift, n }) => (drift === undefined ? [] : [{ id: drift, count: Math.min(n, MAX_COUNT) }])),
      ),
    ),
  );
}

const MAX_COUNT = 2_000_000_000;

type OpenedDrift = NewDrift & { type: string; units: { event: EventRef }[] };

export async function openDrifts(client: pg.PoolClient, opened: OpenedDrift[], now: Date): Promise<void> {
  if (opened.length === 0) return;
  await insertDrifts(client, opened);
  const changes = opened.map((drift): NewChange => ({ ...changeOf(drift), kind: "drift_opened" }));
  await insertChanges(client, changes);
  const events = opened.flatMap(({ units, ...drift }) =>
    units.map(({ event: [eventId, at, seq] }) => ({
      ...sightingOf(drift, eventId, now),
      receivedAt: new Date(at),
      seq,
      failedAt: now,
    })),
  );
  await ensureIssues(client, events);
  await lockIssues(client, [...new Set(events.map(({ issueId }) => issueId))].sort());
  await insertNoted(client, "schema:", events);
  await markRecurred(client, events, now);
  const issueIds = events.map(({ issueId }) => issueId);
  const open = await listOpen(client, issueIds);
  await openAlerts(client, schemaConditions(opened.filter(({ issueId }) => issueId !== null && open.has(issueId))), "peak");
}

/** Ends drifts and resolves the issues of those that are over. @param by null: the old shape is back */
export async function endDrifts(
  client: pg.PoolClient,
  ids: string[],
  state: "recovered" | "accepted" | "ignored",
  by: string | null,
  now: Date,
): Promise<number> {
  const closed = await closeDrifts(client, ids, state, by);
  if (closed.length === 0) return 0;
  const kind = state === "recovered" ? "drift_recovered" : "drift_accepted";
  await insertChanges(
    client,
    closed.map(({ workspaceId, schemaId, path, kind: of }) => ({
      ...{ workspaceId, schemaId, kind, path, by },
      ...{ detail: DRIFT_WORDS[of], eventId: null, eventAt: null },
    })),
  );
  const issueIds = closed.flatMap(({ issueId }) => issueId ?? []).sort();
  if (issueIds.length === 0) return closed.length;
  await lockIssues(client, issueIds);
  await settleWhole(client, issueIds, now);
  await resolveSettled(client, issueIds, now);
  return closed.length;
}

const DRIFT_WORDS: Record<DriftKind, string> = {
  vanished: "The field vanished",
  type: "It has another type",
  null: "It is null now",
  optional: "It is optional now",
  value: "It has a new value",
  format: "It has another format",
  size: "Bodies are much larger",
  volume: "Its number of events changed",
};

/** One issue for each kind of drift of each field: it opens again when the same comes again. */
const issueOf = ({ workspaceId, type, schemaId, kind, path }: Pick<OpenedDrift, "workspaceId" | "type" | "schemaId" | "kind" | "path">) => {
  const fingerprint = { origin: "schema", code: `schema_${kind}`, type, place: `${schemaId} ${path}` } as const;
  return { ...fingerprint, issueId: issueIdOf(workspaceId, fingerprint) };
};

const sightingOf = (drift: Omit<OpenedDrift, "units">, eventId: string, now: Date): Sighting => ({
  ...issueOf(drift),
  workspaceId: drift.workspaceId,
  eventId,
  words: wordsOf(drift),
  seenAt: now,
});

/** As the issue tells it: `data.pages: in all of 1,204; absent in 6 in a row`. */
const wordsOf = ({ path, expected, observed }: Pick<NewDrift, "path" | "expected" | "observed">): string =>
  `${path}: expected ${expected}, observed ${observed}`;

const changeOf = ({ workspaceId, schemaId, path, kind, first }: OpenedDrift): Omit<NewChange, "kind"> => ({
  ...{ workspaceId, schemaId, path, detail: DRIFT_WORDS[kind], by: null },
  ...{ eventId: first?.id ?? null, eventAt: first?.at ?? null },
});

const placeOf = (ref: EventRef | undefined | null) => (ref ? { id: ref[0], at: new Date(ref[1]) } : null);

function driftOf(schema: StoredSchema, learnt: Learnt, found: Found): OpenedDrift {
  const { id, kind, severity, path, outcome, units, lastGood } = found;
  const { id: schemaId, workspaceId, type } = schema;
  return {
    ...{ id, workspaceId, schemaId, kind, severity, path, outcome, type, units },
    ...shapesOf(schema, learnt, found),
    count: units.length,
    first: placeOf(units[0]?.event),
    lastGood: placeOf(lastGood),
    issueId: issueOf({ workspaceId, type, schemaId, kind, path }).issueId,
  };
}

const LISTED = 12;
const numberWords = (n: number) => n.toLocaleString("en-US");

/** What was expected and what was observed, in words. */
function shapesOf(
  { tree: before, watch }: StoredSchema,
  { tree }: Learnt,
  { kind, path, outcome, units }: Found,
): { expected: string; observed: string } {
  const seen = numberWords(seenOf(before, path));
  const stats = before.fields[path];
  const usual = outcomesIn(watch.usual[path] ?? 0).filter((each) => each !== "absent");
  switch (kind) {
    case "vanished":
      return { expected: `it in all of ${seen}`, observed: "that it is absent" };
    case "optional":
      return { expected: `it in all of ${seen}`, observed: "that it is absent in some" };
    case "null":
      return { expected: `no null in ${seen}`, observed: "null" };
    case "type": {
      const types = usual.filter((each) => Object.hasOwn(stats?.types ?? {}, each));
      return { expected: types.join(" or ") || "another type", observed: outcome };
    }
    case "format": {
      const formats = usual.filter((each) => !Object.hasOwn(stats?.types ?? {}, each));
      return { expected: formats.join(" or ") || "another format", observed: outcome };
    }
    case "value": {
      const values = (stats && tellableValues(stats)) ?? [];
      const known = new Set(values.map(({ text }) => text));
      const fresh = (tree.fields[path] ? (tellableValues(tree.fields[path]) ?? []) : []).filter(({ text }) => !known.has(text));
      const listed = values.slice(0, LISTED).map(({ text }) => text);
      return {
        expected: listed.length === 0 ? "a value of its enumeration" : `one of ${listed.join(", ")}`,
        observed: fresh.length === 0 ? "another value" : fresh.map(({ text }) => text).join(", "),
      };
    }
    case "size":
      return {
        expected: `bodies of up to ${numberWords(Math.round(sizeLimitOf(before, 0)))} bytes`,
        observed: `longer ones in ${numberWords(units.length)} events in a row`,
      };
  }
}

/** A drift of the number of events of a type: no field has it. */
export function volumeDriftOf(
  schema: { id: string; workspaceId: WorkspaceId; type: string },
  drift: { id: string; expected: string; observed: string; last: EventRef | null },
): OpenedDrift {
  const severity: DriftSeverity = "warning";
  const about = { workspaceId: schema.workspaceId, type: schema.type, schemaId: schema.id, kind: "volume" as const, path: "data" };
  return {
    ...about,
    ...{ id: drift.id, severity, outcome: "volume", expected: drift.expected, observed: drift.observed, count: 1 },
    units: drift.last ? [{ event: drift.last }] : [],
    first: placeOf(drift.last),
    lastGood: null,
    issueId: drift.last ? issueOf(about).issueId : null,
  };
}
