import { readFileSync } from "node:fs";

/** Returns the version in the package.json next to the folder that this runs from (`src` or `dist`). */
export const ownVersion = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
