import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { viewKind } from "#lib/contracts/views";
import { listDeclared } from "#tests/support/routes";

// Two tables: a page reads before it is idle, and changes only when somebody does.
test.each([
  { reads: true, file: "lib/contracts/api/read-operations.ts", name: "READS" },
  { reads: false, file: "lib/contracts/api/change-operations.ts", name: "CHANGES" },
])(
  "the browser's $name are the operations that it calls, with the schemas that the route declares (written anew by vitest -u)",
  async (table) => {
    const places = await placesOfSchemas();
    const isCalled = operationsCalled();
    const lines: string[] = [];
    const files = new Set<string>();
    const partOf = (schema: unknown) => {
      const place = places.get(schema);
      if (place) files.add(place.file);
      return place ? `${loaderOf(place.file)}, "${place.name}"` : "null, null";
    };
    for (const { route, method, declaration } of await listDeclared()) {
      const name = `${method} /${route.replaceAll(/\[(\w+)\]/g, "{$1}")}`;
      const answers = new Map(Object.entries(declaration.answers).map(([status, answer]) => [answer, status]));
      if (answers.size > 1) answers.delete(null);
      for (const [answer, status] of answers) {
        const operation = answers.size > 1 ? `${name} ${status}` : name;
        if ((method === "GET") !== table.reads || !isCalled(operation)) continue;
        const schemas = declaration.body ? [answer, declaration.body] : [answer];
        lines.push(`  "${operation}": [${schemas.map(partOf).join(", ")}],`);
      }
    }
    expect(lines.length).toBeGreaterThan(50);
    await expect(tableOf(table.name, [...files].sort(), lines.sort())).toMatchFileSnapshot(`../../../${table.file}`);
  },
);

type Place = { file: string; name: string };

/** The file and name of each schema of the contracts. One with two names goes by the shorter. */
async function placesOfSchemas(): Promise<Map<unknown, Place>> {
  const places = new Map<unknown, Place>();
  for (const file of globSync("lib/contracts/**/*.ts", { exclude: ["lib/contracts/api/*-operations.ts"] }))
    for (const [name, value] of Object.entries((await import(path.resolve(file))) as object)) {
      const known = places.get(value);
      if (!known || name.length < known.name.length) places.set(value, { file, name });
    }
  return places;
}

const loaderOf = (file: string): string => path.basename(file, ".ts").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Finds the literals of `call("GET /api/v1/events/{id}")`. */
function operationsCalled(): (operation: string) => boolean {
  const text = globSync("{lib/client,components}/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const called = [...text.join("\n").matchAll(/["`]((?:GET|POST|PUT|PATCH|DELETE) \/[^"`]*)["`]/g)].map(([, operation = ""]) => operation);
  const patterns = called.map((each) => each.replaceAll(/[{}.$]/g, "\\$&").replaceAll("\\$\\{kind\\}", KINDS));
  const known = new RegExp(`^(${patterns.join("|")})$`);
  return (operation) => known.test(operation);
}

/** `${kind}` in an operation that stands for several. */
const KINDS = `(${viewKind.options.join("|")})`;

function tableOf(name: string, files: string[], lines: string[]): string {
  const loaders = files.map((file) => `const ${loaderOf(file)} = () => import("#${file.slice(0, -".ts".length)}");\n`);
  return `// Written by tests/integration/api/browser-operations.test.ts.
// biome-ignore-all format: one line an operation.
${loaders.join("")}
/** Where the schemas of answer and body stand, for each operation of the API that the browser calls. */
export const ${name} = {
${lines.join("\n")}
} as const;
`;
}
