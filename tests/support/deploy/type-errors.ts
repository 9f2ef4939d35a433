import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commandOf, ROOT, runNode } from "../../../tools/run-command.ts";

/** A value, and the type that it must have: `name` as `module` exports it, or what is made of it. */
type Typed = { value: unknown; module: string; name: string; as?: "Plain" | "Patch" };

/** Inside the project: the types are found by the names of their packages. */
const FOLDER = path.join(ROOT, "node_modules/.cache/deploy-types");

/** Both have the words of an enumeration in place of its members, which a file can't name; of `Patch`, any field may be missing. */
const HELPERS = `
type Plain<T> = T extends string ? \`\${T}\` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Patch<T> = T extends string ? \`\${T}\` : T extends (infer E)[] ? Patch<E>[] : T extends object ? { [K in keyof T]?: Patch<T[K]> } : T;
`;

/**
 * Checks values against types with the compiler, which refuses fields that a type does not have. JSON schemas of
 * Kubernetes allow them.
 *
 * @returns what the compiler says, nothing when all is well
 */
export async function typeErrors(values: Typed[]): Promise<string> {
  const folder = path.join(FOLDER, crypto.randomUUID());
  mkdirSync(folder, { recursive: true });
  const lines = values.flatMap(({ value, module, name, as }, index) => [
    `import type { ${name} as Type${index} } from ${JSON.stringify(module)};`,
    `export const value${index}: ${as ? `${as}<Type${index}>` : `Type${index}`} = ${JSON.stringify(value, null, 1)};`,
  ]);
  writeFileSync(path.join(folder, "values.ts"), [...lines, HELPERS].join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler", "--types", "node"];
  try {
    const { code, output } = await runNode(commandOf("typescript", "tsc"), [...options, "--ignoreConfig", path.join(folder, "values.ts")]);
    return code === 0 ? "" : output || `tsc ended with ${code}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The type of a Kubernetes object. */
export function kubernetesType(value: { [name: string]: unknown }): Typed {
  const { apiVersion, kind } = value;
  const own = String(apiVersion).startsWith("monitoring.coreos.com/") ? "@kubernetes-models/prometheus-operator" : "kubernetes-models";
  return { value, module: `${own}/${apiVersion}/${kind}`, name: `I${kind}` };
}
