import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { ResourceRef } from "#lib/contracts/events/events";
import { EVERY_SOURCE, type ViewFilter } from "#lib/contracts/list-filters";
import { type ViewKind, type ViewQuery, type ViewRecord, viewKind } from "#lib/contracts/views";
import { countCapped, queryWithin } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import { queryValues } from "#lib/db/rows";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/sql";
import { DEFINITIONS } from "./definitions.ts";
import type { Registers } from "./fold/register.ts";
import { asSearched, likeText, slipPatterns, storedRecordOf, wordsOf } from "./stored-record.ts";

type Row = { id: string; registers: Registers; last_created: number };

/** A task's assignee, or its team. The index views_assignee_idx is of this expression. */
const ASSIGNEE = "coalesce(registers->'assignee'->>'v', registers->'team'->>'v')";

const CONDITIONS: FilterConditions<ViewFilter> = {
  q: (q, bind) => contains(asSearched(q), bind),
  state: (state, bind) => `state = ${bind(state)}`,
  failed: (failed, bind) => `failed = ${bind(failed)}`,
  parent: (parent, bind) => `parent = ${bind(parent)}`,
  stage: (stage, bind) => `stage = ${bind(stage)}`,
  assignee: (assignee, bind) => `${ASSIGNEE} = ${bind(assignee)}`,
  active: (active) => (active ? "state <> 'completed'" : "state = 'completed'"),
  source: (source, bind) => SOURCES[source] ?? `parent = ${bind(source)} AND kind IN ('document', 'record')`,
};

/** Stands for the platform's sources, which make one set of records. No source has this name. */
export const PLATFORM_SOURCE = "-";

const OF_THE_PLATFORM = "id NOT LIKE 'source-%:document:%'";

/** By the ID, which the list's index has (`planGeneric` makes it): other platforms' documents stand beside the platform's own. */
const SOURCES: Partial<Record<string, string>> = {
  [EVERY_SOURCE]: "true",
  [PLATFORM_SOURCE]: OF_THE_PLATFORM,
};

/** Returns conditions to be joined by AND. */
export const viewConditions = (filter: ViewFilter, bind: Bind): string[] => conditionsOf(CONDITIONS, filter, bind);

const CURSOR = new Cursor("views", { last_created: "integer", id: "id" });

/** `q` matches IDs and names. */
export async function listViews(workspaceId: WorkspaceId, kind: ViewKind, query: ViewQuery): Promise<Page<ViewRecord>> {
  const { limit, cursor, order = "desc", ...filter } = query;
  const oldestFirst = order === "asc";
  // Both ways are one walk of the same index.
  const [direction, ids] = oldestFirst ? ["", " DESC"] : [" DESC", ""];
  const { values, bind } = new SqlValues(workspaceId, kind);
  const sql = ["workspace_id = $1", "kind = $2", ...conditionsOf(CONDITIONS, filter, bind)];
  const of = { kind, ...filter, ...(oldestFirst && { order }) };
  const after = CURSOR.decode(cursor, of);
  if (after) {
    // Not one OR: the first half bounds the index, the second only sorts out equals.
    const at = bind(after.last_created);
    const id = bind(after.id);
    sql.push(
      oldestFirst
        ? `last_created >= ${at} AND (last_created > ${at} OR id < ${id})`
        : `last_created <= ${at} AND (last_created < ${at} OR id > ${id})`,
    );
  }
  // The keys first, out of an index alone; then the records of that page.
  const { rows } = await pool().query<Row>(
    `WITH page AS MATERIALIZED (
       SELECT id, last_created FROM views WHERE ${sql.join(" AND ")} ORDER BY last_created${direction}, id${ids} LIMIT ${limit + 1})
     SELECT p.id, v.registers, p.last_created FROM page p
     JOIN views v ON v.id = p.id AND v.kind IS NOT DISTINCT FROM $2 AND v.workspace_id IS NOT DISTINCT FROM $1
     ORDER BY p.last_created${direction}, p.id${ids}`,
    values,
  );
  return {
    data: rows.slice(0, limit).map((row) => storedRecordOf(kind, row.id, row.registers)),
    nextCursor: CURSOR.next(rows, limit, of),
  };
}

const MAX_COUNTED = 10_001;

const MAX_ASSIGNEES = 100;

/** Lists whom tasks are assigned to, by name. Hops from one to the next through the assignees' index. */
export async function listAssignees(workspaceId: WorkspaceId): Promise<string[]> {
  const next = (after: string) =>
    `(SELECT ${ASSIGNEE} FROM views WHERE workspace_id = $1 AND kind = 'task' AND ${ASSIGNEE} ${after} ORDER BY 1 LIMIT 1)`;
  return queryValues<{ name: string }>(
    pool(),
    `WITH RECURSIVE hop AS (
       SELECT ${next("IS NOT NULL")} AS name, 1 AS n
       UNION ALL SELECT ${next("> hop.name")}, n + 1 FROM hop WHERE hop.name IS NOT NULL AND n < ${MAX_ASSIGNEES})
     SELECT name FROM hop WHERE name IS NOT NULL`,
    [workspaceId],
  );
}

export async function countViews(workspaceId: WorkspaceId, kind: ViewKind, filter: ViewFilter): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, kind);
  const sql = ["workspace_id = $1", "kind = $2", ...conditionsOf(CONDITIONS, filter, bind)];
  return countCapped(`SELECT 1 FROM views WHERE ${sql.join(" AND ")}`, values, MAX_COUNTED);
}

/** Counts children by parent's ID and state, for a page of parents by one query; a parent without children is missing. */
export async function countByParent(
  workspaceId: WorkspaceId,
  childKind: ViewKind,
  parents: string[],
): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  if (parents.length === 0) return counts;
  const { rows } = await pool().query<{ parent: string; state: string; n: number }>(
    `SELECT parent, state, count(*) AS n FROM views
     WHERE workspace_id = $1 AND kind = $2 AND parent = ANY($3::text[]) GROUP BY parent, state ORDER BY parent, state`,
    [workspaceId, childKind, parents],
  );
  for (const { parent, state, n } of rows) counts.set(parent, { ...counts.get(parent), [state]: n });
  return counts;
}

type LookedUpRow = { kind: ViewKind; id: string; registers: Registers };
type Bind = SqlValues["bind"];

/** Records of each kind that are ranked, those with the newest events. */
const OF_A_KIND = 30;
const WHOLE_OF_A_KIND = 3;
/** Milliseconds. Somebody is typing: a later answer is of no use. */
const LIMIT_MS = 1500;

/** Finds records whose name or ID contains every word of `q`; null when it took too long. */
export const findContaining = (workspaceId: WorkspaceId, q: string): Promise<ViewRecord[] | null> =>
  search(workspaceId, (bind) => {
    const text = asSearched(q.trim());
    const whole = likeText(text);
    // The column is the ID, a blank and the name: a whole name is at its end, a whole ID at its start.
    return [
      [`(words LIKE ${bind(`% ${whole}`)} OR words LIKE ${bind(`${whole} %`)} OR words = ${bind(text)})`, WHOLE_OF_A_KIND],
      [
        wordsOf(q)
          .map((word) => contains(word, bind))
          .join(" AND "),
        OF_A_KIND,
      ],
    ];
  });

/** Finds records that contain every word of `q` with at most one typing error in each; null when it took too long. */
export async function findResembling(workspaceId: WorkspaceId, q: string): Promise<ViewRecord[] | null> {
  const words = wordsOf(q);
  if (!words.some(slipPatterns)) return [];
  return search(workspaceId, (bind) => [
    [
      words
        .map((word) => {
          const slips = slipPatterns(word);
          return slips ? `words LIKE ANY (${bind(slips.like)}) AND words ~ ${bind(slips.regex)}` : contains(word, bind);
        })
        .join(" AND "),
      OF_A_KIND,
    ],
  ]);
}

const contains = (word: string, bind: Bind) => `words LIKE ${bind(`%${likeText(word)}%`)}`;

/** Reads keys out of the index views_list_idx, which carries `words`, and then the records found. */
async function search(
  workspaceId: WorkspaceId,
  conditionsBy: (bind: Bind) => [condition: string, most: number][],
): Promise<ViewRecord[] | null> {
  const { values, bind } = new SqlValues(workspaceId, viewKind.options);
  const legs = conditionsBy(bind).map(
    ([condition, most]) =>
      `(SELECT id FROM views WHERE workspace_id = $1 AND kind = k.kind AND ${condition} ORDER BY last_created DESC, id LIMIT ${most})`,
  );
  const rows = await queryWithin<LookedUpRow>(
    LIMIT_MS,
    `WITH found AS MATERIALIZED (SELECT k.kind, f.id FROM unnest($2::text[]) AS k(kind) CROSS JOIN LATERAL (${legs.join(" UNION ")}) f)
     SELECT f.kind, f.id, v.registers FROM found f
     JOIN views v ON v.id = f.id AND v.kind IS NOT DISTINCT FROM f.kind AND v.workspace_id IS NOT DISTINCT FROM $1`,
    values,
  );
  return rows?.map(({ kind, id, registers }) => storedRecordOf(kind, id, registers)) ?? null;
}

const LONGEST = 200;

export const nameKey = ({ kind, id }: ResourceRef): string => `${kind}:${id}`;

/** Returns names by `nameKey`. Fields are read only where `words` (the ID, a blank, the name) says that there is a name. */
export async function findNames(workspaceId: WorkspaceId, refs: readonly ResourceRef[]): Promise<Map<string, string>> {
  const wanted = [...new Map(refs.filter(({ kind }) => isKind(kind)).map((ref) => [nameKey(ref), ref])).values()];
  if (wanted.length === 0) return new Map();
  const { rows } = await pool().query<{ kind: string; id: string; name: string | null }>(
    `SELECT v.kind, v.id, left(v.registers->u.f->>'v', ${LONGEST}) AS name FROM views v
       JOIN unnest($2::text[], $3::text[], $4::text[]) AS u(k, i, f)
         ON v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k AND v.workspace_id IS NOT DISTINCT FROM $1
      WHERE v.words LIKE '% %' AND jsonb_typeof(v.registers->u.f->'v') = 'string'`,
    [workspaceId, ...arraysOf(wanted, "kind", "id"), wanted.map(({ kind }) => fieldOf(kind))],
  );
  return new Map(rows.flatMap(({ kind, id, name }) => (name ? [[nameKey({ kind, id }), name] as const] : [])));
}

const isKind = (kind: string): kind is ViewKind => viewKind.options.some((option) => option === kind);
const fieldOf = (kind: string): string => (isKind(kind) ? (DEFINITIONS[kind].label[0] ?? "") : "");

export async function findKnownIds(workspaceId: WorkspaceId, kind: ViewKind, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT v.id FROM views v JOIN unnest($3::text[]) AS u(i)
       ON v.id = u.i AND v.kind IS NOT DISTINCT FROM $2 AND v.workspace_id IS NOT DISTINCT FROM $1`,
    [workspaceId, kind, [...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** IDs of the platform of each kind, from which the form of its IDs is derived. */
const SAMPLED = 50;

export async function sampleIds(workspaceId: WorkspaceId): Promise<Map<ViewKind, string[]>> {
  const { rows } = await pool().query<{ kind: ViewKind; ids: string[] }>(
    `SELECT k.kind, ARRAY(SELECT v.id FROM views v WHERE v.workspace_id = $1 AND v.kind = k.kind AND ${OF_THE_PLATFORM} ORDER BY v.last_created DESC, v.id LIMIT ${SAMPLED}) AS ids
     FROM unnest($2::text[]) AS k(kind)`,
    [workspaceId, viewKind.options],
  );
  return new Map(rows.map(({ kind, ids }) => [kind, ids]));
}
