import type { QueryResultRow } from "pg";
import { codeOf } from "#lib/observability/error-code";
import type { DatabaseClient } from "./connection/client.ts";
import { pool } from "./pool.ts";

const CUT = "57014";

/** Runs one statement, cut by the database after `limitMs`. @returns null if it was cut */
export async function queryWithin<T extends QueryResultRow>(limitMs: number, text: string, values: unknown[]): Promise<T[] | null> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query(`SET statement_timeout = ${Math.round(limitMs)}`);
    return (await client.query<T>(text, values)).rows;
  } catch (error) {
    if (codeOf(error) === CUT) return null;
    throw error;
  } finally {
    await (client as unknown as DatabaseClient).applySettings().catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}
