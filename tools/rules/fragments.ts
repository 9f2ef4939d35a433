import path from "node:path";
import { maxLines } from "./sizes.ts";
import { isProduct, type Rule, type SourceFile } from "./source-file.ts";

const MIN_FILES = 4;
const MIN_LINES = 40;

/** A folder below one of these is a subject of its own: below `lib/<module>`, `lib/flows/<subject>` and `components/<feature>`. */
const BELOW = /^(lib\/flows\/[^/]+|lib\/(?!flows\/)[^/]+|components\/[^/]+)\/./;

/** A folder below a module, a flow's subject or a feature has four files or is none. */
export const thinFolders: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const { name } of files.filter((file) => isProduct(file.name))) {
    const folder = path.posix.dirname(name);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => BELOW.test(folder) && count < MIN_FILES)
    .map(
      ([folder, count]) =>
        `${folder} has ${count} files; a folder has ${MIN_FILES} or is none. Move them up, or join those of one subject.`,
    );
};

/** Files that Next finds by their names. */
const ENTRY = /^app\/.*\b(page|layout|route|error|global-error|not-found|forbidden|unauthorized|loading|template|default)\.tsx?$|\.d\.ts$/;

const IMPORT = /(?:\bfrom|^import) "([^"]+)"/gm;
const DYNAMIC = /\bimport\("([^"]+)"\)/g;

/** Part of the product that imports cross only where they are allowed to: a module, a flow's subject, a feature. */
function homeOf(name: string): string {
  const [top = "", second = "", third = ""] = name.split("/");
  if (top === "lib" && second === "flows") return `${top}/${second}/${third}`;
  if (top === "packages") return path.posix.dirname(name);
  return top === "app" ? top : `${top}/${second}`;
}

/** Returns the path of one of our own modules from an import of it; null for another. */
export function targetOf(from: string, specifier: string): string | null {
  const inner = /^#(lib|components)\/(.+)$/.exec(specifier);
  if (inner) return `${inner[1]}/${inner[2]}${inner[1] === "lib" ? ".ts" : ".tsx"}`;
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

const lineCount = (text: string): number => text.trimEnd().split("\n").length;
const isStore = (name: string): boolean => name.endsWith("-store.ts");
const isClient = (text: string): boolean => text.startsWith('"use client"');

/** True if nothing parts the two: a border, SQL, the browser, JSX or the length that the file would have. */
function mayBeOne(part: SourceFile, whole: SourceFile): boolean {
  return (
    homeOf(part.name) === homeOf(whole.name) &&
    isStore(part.name) === isStore(whole.name) &&
    (!isClient(part.text) || isClient(whole.text)) &&
    !(part.name.endsWith(".tsx") && whole.name.endsWith(".ts")) &&
    lineCount(part.text) + lineCount(whole.text) <= maxLines(whole.name)
  );
}

/**
 * A file under 40 lines that one file imports is part of it. Entry points of Next, what is loaded later, and the entries of a registry (a folder of
 * which one file imports four) are their own.
 */
export const fragments: Rule = (files) => {
  const product = files.filter(({ name }) => isProduct(name) && /\.tsx?$/.test(name));
  const byName = new Map(product.map((file) => [file.name, file]));
  const importers = new Map<string, Set<string>>();
  const loadedLater = new Set<string>();
  for (const { name, text } of product) {
    for (const [, specifier = ""] of text.matchAll(DYNAMIC)) loadedLater.add(targetOf(name, specifier) ?? "");
    for (const [, specifier = ""] of text.matchAll(IMPORT)) {
      const target = targetOf(name, specifier);
      if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(name));
    }
  }
  const alone = product.flatMap((part) => {
    const [only, ...more] = importers.get(part.name) ?? [];
    const whole = only === undefined || more.length > 0 ? undefined : byName.get(only);
    return whole && lineCount(part.text) < MIN_LINES && !ENTRY.test(part.name) && !loadedLater.has(part.name) ? [{ part, whole }] : [];
  });
  const registries = Map.groupBy(alone, ({ part, whole }) => `${path.posix.dirname(part.name)} ${whole.name}`);
  return alone
    .filter(({ part, whole }) => mayBeOne(part, whole))
    .filter(({ part, whole }) => (registries.get(`${path.posix.dirname(part.name)} ${whole.name}`)?.length ?? 0) < MIN_FILES)
    .map(({ part, whole }) => `${part.name} has ${lineCount(part.text)} lines and one importer, ${whole.name}: make it part of that.`);
};
