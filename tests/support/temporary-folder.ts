import { rmSync } from "node:fs";
import { onTestFinished } from "vitest";
import { makeOpenFolder } from "./open-folder.ts";

/** An empty folder for one test, removed when it is over. */
export function temporaryFolder(): string {
  const folder = makeOpenFolder("signalbox-unit-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
