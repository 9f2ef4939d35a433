import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

// Rules of the house that no linter knows. Each returns its offences in words.

export type SourceFile = { name: string; text: string };

const LONGEST_FILE = 300;
const LONGEST_ROUTE_HANDLER = 40;
const FOLDERS = ["app", "components", "lib", "tests", "tools", "prisma"];
const SOURCE = /\.(ts|tsx|mjs|css)$/;
const SKIPPED = /^lib\/db\/generated\//;

/** Every source file of the project, with names as in imports: relative, with forward slashes. */
export function readSources(root: string): SourceFile[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  return names
    .filter((name) => SOURCE.test(name) && !SKIPPED.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(root, name), "utf8") }));
}

/** All offences of all rules. */
export const findOffences = (files: SourceFile[]): string[] =>
  files.flatMap((file) => [lengthOffence(file), environmentOffence(file), sqlOffence(file)]).filter((words) => words !== null);

function lengthOffence({ name, text }: SourceFile): string | null {
  const lines = text.trimEnd().split("\n").length;
  const limit = name.startsWith("app/") && /(^|\/)route\.ts$/.test(name) ? LONGEST_ROUTE_HANDLER : LONGEST_FILE;
  return lines > limit ? `${name} has ${lines} lines; ${limit} are allowed. Give a part of it a file and a name of its own.` : null;
}

/** The environment is read in one place, validated; tools and tests stand outside the product. */
function environmentOffence({ name, text }: SourceFile): string | null {
  const product = /^(app|components|lib)\//.test(name) && !name.startsWith("lib/config/");
  const line = product ? findLine(text, /process\.env\b/) : null;
  return line ? `${name}:${line} reads process.env. Ask env() of #lib/config/env.` : null;
}

const SQL_HOME = /^lib\/(db|queue)\/|-store\.ts$/;

/** SQL is sent by stores alone; what a flow holds of a pool it hands on. */
function sqlOffence({ name, text }: SourceFile): string | null {
  const product = /^(app|lib)\//.test(name) && !SQL_HOME.test(name);
  const line = product ? findLine(text, /\.(query|\$queryRaw\w*|\$executeRaw\w*)\s*(<[^>(]*>)?\s*[(`]/) : null;
  return line ? `${name}:${line} talks to the database. That belongs in a *-store.ts file.` : null;
}

function findLine(text: string, pattern: RegExp): number | null {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line));
  return at === -1 ? null : at + 1;
}
