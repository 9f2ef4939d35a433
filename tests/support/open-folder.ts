import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A new folder for passing data that PostgreSQL's own account may enter too:
 * mkdtemp's are closed to it, and the data would go elsewhere.
 */
export function makeOpenFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, prefix));
  chmodSync(folder, 0o755);
  return folder;
}
