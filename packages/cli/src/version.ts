import { readFileSync } from "node:fs";

/** The version of this command: of the package beside the folder that it runs from (`src` or `dist`). */
export const ownVersion = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
