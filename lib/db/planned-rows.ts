import { pool } from "./pool.ts";

type Plan = { Alias?: string; "Plan Rows": number; Plans?: Plan[] };

/** Returns how many rows the planner expects of each statement; an alias finds each in the plan. */
export async function plannedRows(statements: string[], values: unknown[]): Promise<number[]> {
  const named = statements.map((text, index) => `SELECT ${index} AS part FROM (${text} OFFSET 0) part_${index}`);
  const { rows } = await pool().query<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${named.join(" UNION ALL ")}`, values);
  const found = new Map<string, number>();
  const walk = (plan: Plan) => {
    if (plan.Alias?.startsWith("part_")) found.set(plan.Alias, plan["Plan Rows"]);
    else for (const each of plan.Plans ?? []) walk(each);
  };
  for (const { Plan } of rows[0]?.["QUERY PLAN"] ?? []) walk(Plan);
  return statements.map((_, index) => found.get(`part_${index}`) ?? 0);
}
