import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { z } from "zod";
import { commandOf, ROOT, runNode } from "../../tools/run-command.ts";

/** Inside the project: packages are found by their names. */
const FOLDER = path.join(ROOT, "node_modules/.cache/written-code");

const STRICT = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--skipLibCheck", "--types", "node"];

/** Returns what the compiler says of files, nothing when all is well. */
export async function compilerErrors(files: Record<string, string>): Promise<string> {
  const folder = path.join(FOLDER, crypto.randomUUID());
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const options = [...STRICT, "--module", "esnext", "--target", "esnext", "--moduleResolution", "bundler", "--allowImportingTsExtensions"];
  try {
    const paths = Object.keys(files).map((name) => path.join(folder, name));
    const { code, output } = await runNode(commandOf("typescript", "tsc"), [...options, "--ignoreConfig", ...paths]);
    return code === 0 ? "" : output || `tsc ended with ${code}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs code that declares Zod schemas, and returns what it exports. */
export function runZod(code: string): Record<string, z.ZodType> {
  const script = stripTypeScriptTypes(code).replace('import { z } from "zod";', "");
  const exported = [...script.matchAll(/^export const (\S+) =/gm)].map(([, name]) => name ?? "");
  const body = `${script.replaceAll(/^export const /gm, "const ")}\nreturn { ${exported.join(", ")} };`;
  return new Function("z", body)(z) as Record<string, z.ZodType>;
}
