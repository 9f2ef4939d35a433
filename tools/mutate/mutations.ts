import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";
import { mulberry32 } from "#tests/chaos/driver";

/** A change of the product that a test should find. `within`: the function around it, as V8 calls it. */
export type Mutation = {
  area: string;
  kind: string;
  file: string;
  line: number;
  start: number;
  end: number;
  text: string;
  within: string | null;
};

/** What is sampled, with the patterns of its files in lib. */
const AREAS: Record<string, string[]> = {
  ingest: ["ingest", "flows/ingest", "processes/server"],
  platform: ["platform"],
  fold: ["views", "flows/views"],
  processing: ["processing", "flows/processing"],
  forwarding: ["forwarding", "flows/forwarding"],
  connections: ["connections", "flows/connections"],
  auth: ["auth", "flows/members", "flows/sign-in"],
  vault: ["vault"],
  API: ["api", "http"],
};

const FLIPPED: Record<string, string> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "===": "!==", "!==": "===" };
const MOVED: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
/** A condition of SQL on its line, up to what ends it. */
const SQL_CONDITION =
  /\b(WHERE|AND)\s+(?!EXISTS\b)([^()`\n]*?(?:\([^()`\n]*\)[^()`\n]*?)*?)(?=\s+(?:AND|OR|ORDER|GROUP|LIMIT|RETURNING|FOR|UNION|ON)\b|\s*[)`\n;]|$)/g;

/** Returns the mutations of a file of the product. */
export function mutationsOf(area: string, file: string, source: string): Mutation[] {
  const found: Mutation[] = [];
  const functions: { name: string | null; end: number }[] = [];
  const add = (kind: string, { start, end }: { start: number; end: number }, text: string) => {
    const line = source.slice(0, start).split("\n").length;
    const named = functions.findLast(({ name, end: until }) => name !== null && until >= end);
    found.push({ area, kind, file, line, start, end, text, within: named?.name ?? null });
  };
  const nodeText = ({ start, end }: ESTree.Span) => source.slice(start, end);
  const enter = (name: string | null, node: ESTree.Span) => {
    while (functions.length > 0 && (functions.at(-1)?.end ?? 0) < node.end) functions.pop();
    functions.push({ name, end: node.end });
  };
  const dropConditions = (text: ESTree.Span) => {
    for (const { 0: all, 1: word = "", 2: condition = "", index } of nodeText(text).slice(1, -1).matchAll(SQL_CONDITION)) {
      // A quotation mark alone: the text of an expression within ends there.
      if (!/[=<>]|\b(IS|IN|LIKE)\b/.test(condition) || /^[^"]*"[^"]*$/.test(condition)) continue;
      const start = text.start + 1 + index;
      // The condition stays in the statement: a parameter that nothing names is an error of its own.
      add("WHERE dropped", { start, end: start + all.length }, `${word} (${condition} OR TRUE)`);
    }
  };
  new Visitor({
    FunctionDeclaration: (node) => enter(node.id?.name ?? null, node),
    MethodDefinition: (node) => enter(nodeText(node.key), node),
    VariableDeclarator: (node) => {
      const isFunction = node.init?.type === "ArrowFunctionExpression" || node.init?.type === "FunctionExpression";
      if (isFunction) enter(nodeText(node.id).replace(/\W.*/s, ""), node);
    },
    BinaryExpression: (node) => {
      const at = source.indexOf(node.operator, node.left.end);
      const operator = { start: at, end: at + node.operator.length };
      const [flipped, moved] = [FLIPPED[node.operator], MOVED[node.operator]];
      if (flipped) add("comparison flipped", operator, flipped);
      if (moved) add("bound moved by one", operator, moved);
    },
    LogicalExpression: (node) => {
      if (node.operator === "??") return;
      add("condition dropped", node, nodeText(node.left));
      add("condition dropped", node, nodeText(node.right));
    },
    IfStatement: (node) => {
      if (!node.alternate) add("condition dropped", node.test, "false");
    },
    AwaitExpression: (node) => add("await removed", node, nodeText(node.argument)),
    ThrowStatement: (node) => add("error swallowed", node, "{}"),
    TemplateLiteral: (node) => dropConditions(node),
    Literal: (node) => {
      if (typeof node.value === "string") dropConditions(node);
    },
  }).visit(parseSync(file, source, { sourceType: "module" }).program);
  return found;
}

/** Returns as many mutations as asked for, spread over the areas and kinds; the same for the same seed and sources. */
export function sampleMutations(root: string, seed: number, count: number): Mutation[] {
  const random = mulberry32(seed);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const byArea = Object.entries(AREAS).map(([area, folders]) =>
    folders
      .flatMap((folder) => globSync(`lib/${folder}/**/*.ts`, { cwd: root }).sort())
      .flatMap((file) => mutationsOf(area, file, readFileSync(path.join(root, file), "utf8"))),
  );
  const sample = new Set<Mutation>();
  for (let turn = 0; sample.size < count; turn += 1) {
    const left = (byArea[turn % byArea.length] ?? []).filter((mutation) => !sample.has(mutation));
    const kind = pick([...new Set(left.map((mutation) => mutation.kind))]);
    if (left.length > 0) sample.add(pick(left.filter((mutation) => mutation.kind === kind)));
  }
  return [...sample];
}
