import type pg from "pg";
import { EnvError } from "#lib/config/env";

/**
 * The oldest migration that code must know to run on this schema: the newest of the release before. Raise it with every release.
 * A migration that breaks the release before raises it further, and the changelog says to stop all processes for the update.
 */
export const OLDEST_RUNNABLE = "20261129060000_search_unlogged";

/** `newer`: a newer version prepared the database, and this one may run on. */
export type SchemaFit = { outcome: "known" } | { outcome: "newer"; words: string } | { outcome: "too_new"; words: string };

type Found = { ledger: string[]; known: string[]; floor: string | null };

export function fitOf({ ledger, known, floor }: Found): SchemaFit {
  const unknown = ledger.filter((name) => !known.includes(name)).sort();
  if (unknown.length === 0) return { outcome: "known" };
  const newest = known.at(-1) ?? "none";
  const others = unknown.length > 1 ? ` and ${unknown.length - 1} more` : "";
  const found = `A newer version of Signalbox has prepared this database: it has the migration ${unknown.at(-1)}${others}, which this version does not know.`;
  if (floor !== null && newest >= floor)
    return { outcome: "newer", words: `${found} This version can still run on it during a rolling update. Update it too.` };
  const needs = floor === null ? "a version that knows it" : `a version that knows the migration ${floor}`;
  return {
    outcome: "too_new",
    words: `${found}\nIt requires ${needs}; the newest migration that this version knows is ${newest}. Nothing was changed.\nStart the version that prepared the database, or use the database that belongs to this one.`,
  };
}

/** Returns what to say about an older version. @throws EnvError if it is too old for the database */
export function assertFits(fit: SchemaFit): string | null {
  if (fit.outcome === "too_new") throw new EnvError(fit.words);
  return fit.outcome === "newer" ? fit.words : null;
}

/** Returns null where no version has set a floor. */
export async function readFloor(client: pg.Client): Promise<string | null> {
  const { rows: table } = await client.query<{ found: string | null }>("SELECT to_regclass('schema_floor')::text AS found");
  if (!table[0]?.found) return null;
  const { rows } = await client.query<{ floor: string }>("SELECT oldest_runnable AS floor FROM schema_floor");
  return rows[0]?.floor ?? null;
}

/** Raises the floor, which never falls: an older version that starts again knows less. */
export async function raiseFloor(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO schema_floor (oldest_runnable) VALUES ($1)
     ON CONFLICT (id) DO UPDATE SET oldest_runnable = greatest(schema_floor.oldest_runnable, excluded.oldest_runnable)`,
    [OLDEST_RUNNABLE],
  );
}
