import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A file of the project: its path from the root with forward slashes, and its text. */
export type SourceFile = { name: string; text: string };

/** A rule of the project that no linter knows. It returns the offences in words: where, what, and what to do instead. */
export type Rule = (files: SourceFile[]) => string[];

const FOLDERS = ["app", "components", "lib", "packages/cli/src", "tests", "tools", "prisma"];
const SOURCE = /\.(ts|tsx|mjs|css)$/;
const SKIPPED = /^lib\/db\/generated\/|\/node_modules\//;

/** Every source file of the project. */
export function readSources(root: string): SourceFile[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  return names
    .filter((name) => SOURCE.test(name) && !SKIPPED.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(root, name), "utf8") }));
}

/** Every document that a reader finds in the repository, and the database's schema with its comments. */
export function readDocuments(root: string): SourceFile[] {
  const within = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
  return [...readdirSync(root), ...within("docs"), ...within("deploy"), "packages/cli/README.md", "prisma/schema.prisma"]
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.(md|prisma)$/.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(root, name), "utf8") }));
}

/** True for what ships: tests and tools stand outside the product. */
export const isProduct = (name: string): boolean => /^(app|components|lib|packages)\//.test(name);

/** The number of the first line that matches and is no comment; null when none does. */
export function findLine(text: string, pattern: RegExp): number | null {
  const at = text.split("\n").findIndex((line) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line));
  return at === -1 ? null : at + 1;
}
