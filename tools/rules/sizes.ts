import { isProduct, type Rule } from "./source-file.ts";

const MAX_LINES = 300;
const MAX_COMPONENT_LINES = 200;
const MAX_ROUTE_LINES = 40;
const MAX_FILES_PER_FOLDER = 16;

function maxLines(name: string): number {
  if (name.startsWith("app/") && name.endsWith("/route.ts")) return MAX_ROUTE_LINES;
  return isProduct(name) && name.endsWith(".tsx") ? MAX_COMPONENT_LINES : MAX_LINES;
}

/** A file has at most 300 lines, one of components 200, a route handler 40. The linter bounds functions: 60. */
export const fileLength: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const lines = text.trimEnd().split("\n").length;
    const limit = maxLines(name);
    return lines > limit ? [`${name} has ${lines} lines; ${limit} are allowed. Give a part of it a file and a name of its own.`] : [];
  });

/** A folder of the product has at most 16 files at its own level. */
export const folderSize: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const { name } of files.filter((file) => isProduct(file.name))) {
    const folder = name.slice(0, name.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES_PER_FOLDER)
    .map(([folder, count]) => `${folder} has ${count} files; ${MAX_FILES_PER_FOLDER} are allowed. Group those of one subject in a folder.`);
};
