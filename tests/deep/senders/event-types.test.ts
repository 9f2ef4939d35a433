import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { isObject, parseExact, writeJson } from "#lib/contracts/exact-json";
import { violationsOf } from "#lib/contracts/schemas/differences";
import { type DescribedType, schemaHash } from "#lib/event-types/writers/described-types";
import { observedSchema } from "#lib/event-types/writers/json-schema";
import { writeTypeScript } from "#lib/event-types/writers/typescript";
import { writeZod } from "#lib/event-types/writers/zod";
import { treeOf } from "#lib/flows/event-types/read-event-types";
import { figure } from "#tests/support/figure";
import { Learning } from "#tests/support/lessons";
import { compilerErrors, runZod } from "#tests/support/written-code";

// Types made from octokit/webhooks' payloads of GitHub must accept each of them.

const FOLDER = path.join(import.meta.dirname, "libraries/node_modules/@octokit/webhooks-examples");
const SETS = ["api.github.com", "ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"];
const ABOUT = { url: "https://signalbox.example", from: "observed" } as const;
/** A field is required after 300 events: each payload is sent as often. */
const TIMES = 300;

/** Payloads by type, as a GitHub source names them: `issues.opened`, `push`. */
function examplesOf(set: string): Map<string, unknown[]> {
  const read = parseExact(readFileSync(path.join(FOLDER, set, "index.json"), "utf8")) as { name: string; examples: unknown[] }[];
  const named = read.flatMap(({ name, examples }) => examples.map((example) => [typeOf(name, example), example] as const));
  return new Map([...Map.groupBy(named, ([type]) => type)].map(([type, group]) => [type, group.map(([, example]) => example)]));
}

const typeOf = (name: string, example: unknown): string =>
  isObject(example) && typeof example.action === "string" ? `${name}.${example.action}` : name;

const describedOf = (examples: Map<string, unknown[]>, closed: "all" | null): DescribedType[] =>
  [...examples].map(([type, payloads]) => {
    const learning = new Learning(TIMES);
    for (const data of payloads) for (let n = 0; n < TIMES; n += 1) learning.teach(data as Record<string, unknown>);
    const schema = observedSchema(treeOf(learning.stored.tree, []), closed);
    return { source: "github", type, variant: null, title: type, schema, hash: schemaHash(schema), dataPath: null };
  });

it.each(SETS)(
  "types of %s accept every payload that they were made from, as Zod and JSON Schema do, and refuse one without a required field",
  (set) => {
    const examples = examplesOf(set);
    let counts = { accepted: 0, mutated: 0, refused: 0 };
    for (const closed of [null, "all"] as const) {
      const types = describedOf(examples, closed);
      const { signalboxEvent: event } = runZod([...writeZod(types, ABOUT)].join(""));
      for (const { type, schema } of types)
        for (const data of examples.get(type) ?? []) {
          const parsed = event?.safeParse({ id: "1", type, created: 1, data });
          expect(parsed?.error, type).toBeUndefined();
          expect(parsed?.data, type).toMatchObject({ data });
          expect([...violationsOf(schema, data)], type).toEqual([]);
          counts = { ...counts, accepted: counts.accepted + 1 };
          for (const key of schema.required ?? []) {
            const without = Object.fromEntries(Object.entries(data as object).filter(([name]) => name !== key));
            const refused = event?.safeParse({ id: "1", type, created: 1, data: without }).success === false;
            counts = { ...counts, mutated: counts.mutated + 1, refused: counts.refused + Number(refused) };
          }
        }
    }
    expect(counts.refused).toBe(counts.mutated);
    expect(counts.accepted).toBeGreaterThan(80);
    figure(
      `${set}: ${examples.size} types; ${counts.accepted} payloads accepted, ${counts.refused} of ${counts.mutated} without a required field refused`,
    );
  },
);

it("TypeScript compiled strictly accepts every payload of api.github.com, and refuses what is not of its type", async () => {
  const examples = examplesOf("api.github.com");
  const types = describedOf(examples, null);
  const payloads = [...examples].flatMap(([type, all]) => all.map((data) => ({ type, data })));
  // By a constant: a literal must not have fields that its type lacks, and of a type 400 are learnt.
  const lines = payloads.map(
    ({ type, data }, at) => `const v${at} = ${writeJson(data)};\nexport const e${at}: DataOf<${JSON.stringify(type)}> = v${at};`,
  );
  const head = `import type { SignalboxEvent, SignalboxEventType } from "./types.ts";
type DataOf<T extends SignalboxEventType> = Extract<SignalboxEvent, { type: T }>["data"];
`;
  const wrong = `// @ts-expect-error a required field is missing
export const wrong: DataOf<"push"> = {};`;
  const files = { "types.ts": [...writeTypeScript(types, ABOUT)].join(""), "use.ts": [head, ...lines, wrong].join("\n") };
  expect(await compilerErrors(files)).toBe("");
  expect(payloads.length).toBeGreaterThan(150);
  figure(`tsc --strict: ${types.length} types of api.github.com accept ${payloads.length} payloads`);
});
