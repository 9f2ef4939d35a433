import { isProduct, type Rule } from "./source-file.ts";

const LONGEST_FILE = 300;
const LONGEST_ROUTE_HANDLER = 40;
const MOST_FILES_A_FOLDER = 12;

/** A file has at most 300 lines, a route handler 40. */
export const fileLength: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const lines = text.trimEnd().split("\n").length;
    const limit = name.startsWith("app/") && /(^|\/)route\.ts$/.test(name) ? LONGEST_ROUTE_HANDLER : LONGEST_FILE;
    return lines > limit ? [`${name} has ${lines} lines; ${limit} are allowed. Give a part of it a file and a name of its own.`] : [];
  });

/** A folder of the product has at most 12 files at its own level. */
export const folderSize: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const { name } of files.filter((file) => isProduct(file.name))) {
    const folder = name.slice(0, name.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES_A_FOLDER)
    .map(([folder, count]) => `${folder} has ${count} files; ${MOST_FILES_A_FOLDER} are allowed. Group those of one subject in a folder.`);
};
