import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { expect } from "vitest";
import { makeBackup } from "#lib/flows/installation/backup/make-backup";
import { dumpDatabase, guisesOf } from "./dump-database.ts";

/** All that is stored, as text: every row of the database, and a backup of it. */
export async function storedTexts(): Promise<{ dump: string; backup: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-stored-"));
  const file = path.join(folder, "all.backup");
  await makeBackup(file, { now: new Date(), signal: new AbortController().signal, onProgress: () => {} });
  const backup = zstdDecompressSync(readFileSync(file)).toString("latin1");
  rmSync(folder, { recursive: true });
  return { dump: await dumpDatabase(), backup };
}

/** Expects that no secret stands in any of the texts, in any of its guises. */
export function expectNowhere(secrets: string[], texts: Record<string, string>): void {
  for (const [place, text] of Object.entries(texts)) {
    const found = secrets.flatMap(guisesOf).filter((guise) => text.includes(guise));
    expect(found, place).toEqual([]);
  }
}
