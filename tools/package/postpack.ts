import { existsSync, renameSync } from "node:fs";
import { KEPT, MANIFEST } from "./manifest.ts";

// `npm pack`, its second half: the own package.json again.

if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
