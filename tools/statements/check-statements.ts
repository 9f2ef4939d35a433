import { compareColumns } from "./compare-columns.ts";
import { Describer } from "./describe.ts";
import { findStatements } from "./find-statements.ts";
import { readTexts } from "./statement-texts.ts";
import { UNDESCRIBED } from "./undescribed.ts";

/**
 * Compares every statement that names the type of its rows with what a migrated database says of it.
 *
 * @param files of the product, from the root
 * @returns the offences in words, each with its place
 */
export async function checkStatements(root: string, files: string[], databaseUrl: string): Promise<string[]> {
  const statements = findStatements(root, files);
  const texts = await readTexts(root, statements);
  const describer = await Describer.open(databaseUrl);
  const offences: string[] = [];
  const unknown = new Map<string, string[]>();
  for (const [index, statement] of statements.entries()) {
    const at = `${statement.file}:${statement.line}`;
    const text = texts[index];
    try {
      if (text == null) throw new Error("its text is put together by its caller");
      const columns = await describer.describe(text);
      offences.push(...compareColumns(statement.row, columns, text).map((words) => `${at} ${words}`));
    } catch (error) {
      unknown.set(statement.file, [...(unknown.get(statement.file) ?? []), `${at} can't be described: ${(error as Error).message}`]);
    }
  }
  await describer.end();
  return [...offences, ...unexpected(unknown)];
}

/** Returns what can't be described and is not listed, and what is listed and can be. */
function unexpected(unknown: Map<string, string[]>): string[] {
  const files = new Set([...unknown.keys(), ...Object.keys(UNDESCRIBED)]);
  return [...files].flatMap((file) => {
    const found = unknown.get(file) ?? [];
    const listed = UNDESCRIBED[file]?.statements ?? 0;
    if (found.length > listed) return found;
    return found.length < listed ? [`tools/statements/undescribed.ts lists ${listed} statements of ${file}; ${found.length} are left`] : [];
  });
}
