import { cpSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../run-command.ts";

const BUILD = path.join(ROOT, ".next");

/** Of the production build, what no server reads: caches, and the traces of files and of its own making. */
const LEFT_OUT =
  /^\.next\/(cache|types|diagnostics|build|node_modules|trace|trace-build|turbopack)(\/|$)|\.nft\.json$|^\.next\/server\/.*\.map$/;

/**
 * Copies the production build. The packages that it leaves outside it imports by names of its own, links in
 * `.next/node_modules`, which a package can't hold: their own names are put in their place.
 *
 * @returns these packages
 */
export function copyBuild(to: string): string[] {
  cpSync(BUILD, path.join(to, ".next"), {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(path.relative(ROOT, source).replaceAll(path.sep, "/")),
  });
  const links = externalLinks();
  const server = path.join(to, ".next/server");
  for (const file of readdirSync(server, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const text = readFileSync(path.join(server, file), "utf8");
    const renamed = [...links].reduce((now, [alias, name]) => now.replaceAll(alias, name), text);
    if (renamed !== text) writeFileSync(path.join(server, file), renamed);
  }
  return [...links.values()];
}

/** The build's own name of each package that it leaves outside, and the package's. */
function externalLinks(): Map<string, string> {
  const folder = path.join(BUILD, "node_modules");
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith("@") ? readdirSync(path.join(folder, name)).map((each) => `${name}/${each}`) : [name],
  );
  return new Map(names.map((name) => [name, readlinkSync(path.join(folder, name)).split("node_modules/").pop() ?? name]));
}
