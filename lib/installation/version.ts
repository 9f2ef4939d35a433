import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./process-environment.ts";

export const productVersion = (): string =>
  (JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string }).version;
