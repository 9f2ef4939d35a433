import { isBuiltin } from "node:module";
import path from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../run-command.ts";

/** Modules that run outside Next: the programs of the installation, and the framework's settings. */
const ENTRIES = [
  "next.config.ts",
  ...["start", "web", "worker", "doctor", "views-rebuild", "vault-rotate", "password-reset", "backups/backup", "backups/restore"].map(
    (name) => `lib/processes/${name}.ts`,
  ),
];

/**
 * Writes the server as JavaScript, file by file as in the sources: Node strips no types below node_modules.
 *
 * @returns the packages that it imports
 */
export async function writeServerModules(to: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(ENTRIES.map((file) => [file.replace(/\.ts$/, ""), path.join(ROOT, file)])),
    platform: "node",
    external: (id) => !/^([./#]|\0)/.test(id),
    treeshake: false,
  });
  const { output } = await bundle.write({ dir: to, format: "esm", preserveModules: true, preserveModulesRoot: ROOT });
  const own = new Set(output.map(({ fileName }) => fileName));
  const imported = output.flatMap((each) => (each.type === "chunk" ? [...each.imports, ...each.dynamicImports] : []));
  return [...new Set(imported.filter((id) => !own.has(id) && !isBuiltin(id)).map(packageOf))];
}

/** Returns the package of an import: without what follows its name. */
export const packageOf = (id: string): string =>
  id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/");
