import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type ViewKind, type ViewRecord, viewKind } from "#lib/contracts/views";
import { SqlValues } from "#lib/db/filter-conditions";
import { queryWithin } from "#lib/db/query-within";
import type { Registers } from "./fold/register.ts";
import { likeText, slipPatterns, wordsOf } from "./search-patterns.ts";
import { storedRecordOf } from "./stored-record.ts";

type Row = { kind: ViewKind; id: string; registers: Registers };
type Bind = SqlValues["bind"];

/** Records of each kind that are ranked, those with the newest events. */
const OF_A_KIND = 30;
const WHOLE_OF_A_KIND = 3;
/** Milliseconds. Somebody is typing: a later answer is of no use. */
const LIMIT_MS = 1500;

/** Finds records whose name or ID contains every word of `q`; null when it took too long. */
export const findContaining = (workspaceId: WorkspaceId, q: string): Promise<ViewRecord[] | null> =>
  search(workspaceId, (bind) => {
    const whole = likeText(q.trim().toLowerCase());
    // The column is the ID, a blank and the name: a whole name is at its end, a whole ID at its start.
    return [
      [
        `(words LIKE ${bind(`% ${whole}`)} OR words LIKE ${bind(`${whole} %`)} OR words = ${bind(q.trim().toLowerCase())})`,
        WHOLE_OF_A_KIND,
      ],
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
  const rows = await queryWithin<Row>(
    LIMIT_MS,
    `WITH found AS MATERIALIZED (SELECT k.kind, f.id FROM unnest($2::text[]) AS k(kind) CROSS JOIN LATERAL (${legs.join(" UNION ")}) f)
     SELECT f.kind, f.id, v.registers FROM found f
     JOIN views v ON v.id = f.id AND v.kind IS NOT DISTINCT FROM f.kind AND v.workspace_id IS NOT DISTINCT FROM $1`,
    values,
  );
  return rows?.map(({ kind, id, registers }) => storedRecordOf(kind, id, registers)) ?? null;
}
