import path from "node:path";
import { ROOT } from "../run-command.ts";

export const MANIFEST = path.join(ROOT, "package.json");

/** Path of the own package.json while another is packed in its place. */
export const KEPT = path.join(ROOT, "package.own.json");
