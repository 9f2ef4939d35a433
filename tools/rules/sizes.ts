import { isProduct, type Rule } from "./source-file.ts";

const MAX_LINES = 500;
const MAX_COMPONENT_LINES = 300;
const MAX_ROUTE_LINES = 40;

/** Most lines that a file may have. */
export function maxLines(name: string): number {
  if (name.startsWith("app/") && name.endsWith("/route.ts")) return MAX_ROUTE_LINES;
  return isProduct(name) && name.endsWith(".tsx") ? MAX_COMPONENT_LINES : MAX_LINES;
}

/** A file has at most 500 lines, one of components 300, a route handler 40. The linter bounds functions: 80. */
export const fileLength: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const lines = text.trimEnd().split("\n").length;
    const limit = maxLines(name);
    return lines > limit ? [`${name} has ${lines} lines; ${limit} are allowed. Give a part of it a file and a name of its own.`] : [];
  });
