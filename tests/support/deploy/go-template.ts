// Go's text/template, as much of it as Helm charts of a plain kind need: fields, variables, pipelines, `if`, `with`, `define`,
// and functions. What it does not know is an error, never skipped.

type Operand =
  | { kind: "literal"; value: unknown }
  | { kind: "function"; name: string }
  | { kind: "path"; root: Pipeline | string; fields: string[] };
type Pipeline = Operand[][];
type Node =
  | { kind: "text"; text: string }
  | { kind: "print"; pipeline: Pipeline }
  | { kind: "let"; variable: string; pipeline: Pipeline }
  | { kind: "if" | "with"; pipeline: Pipeline; body: Node[]; otherwise: Node[] };

type Frame = { dot: unknown; variables: Map<string, unknown> };
export type TemplateFunctions = Record<string, (...args: never[]) => unknown>;

const ACTION = /\{\{(?:\/\*[\s\S]*?\*\/\}\}|(-\s)?((?:"(?:[^"\\]|\\.)*"|[^"])*?)(\s-)?\}\})/g;
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|-?\d+|[|()]|\$?\w*(?:\.\w+)*\.?)/y;

/** Templates by their names; a file's own text is parsed as the one that is named after the file. */
export class Templates {
  private readonly named = new Map<string, Node[]>();
  private readonly functions: TemplateFunctions;

  constructor(functions: TemplateFunctions) {
    this.functions = { ...functions, include: (name: string, dot: unknown) => this.render(name, dot) };
  }

  parse(name: string, text: string): void {
    const parts = split(text);
    this.named.set(name, this.block(parts, name).nodes);
    if (parts.length > 0) throw new Error(`${name}: more ends than beginnings`);
  }

  render(name: string, dot: unknown): string {
    const nodes = this.named.get(name);
    if (!nodes) throw new Error(`no template ${name}`);
    return this.run(nodes, { dot, variables: new Map([["$", dot]]) });
  }

  /** Reads up to the `end` or `else` that closes the block, or to the end of the file. */
  private block(parts: Part[], file: string): { nodes: Node[]; closedBy: string } {
    const nodes: Node[] = [];
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      if (part.kind === "text") {
        nodes.push(part);
        continue;
      }
      const [, keyword = "", rest = ""] = /^(if|with|define|else if|else|end)\b\s*([\s\S]*)$/.exec(part.code) ?? [];
      if (keyword === "end" || keyword.startsWith("else")) return { nodes, closedBy: part.code };
      if (keyword === "define") this.named.set(JSON.parse(rest), this.block(parts, file).nodes);
      else if (keyword === "if" || keyword === "with") nodes.push(this.branch(keyword, rest, parts, file));
      else nodes.push(statement(part.code));
    }
    return { nodes, closedBy: "" };
  }

  private branch(kind: "if" | "with", code: string, parts: Part[], file: string): Node {
    const { nodes, closedBy } = this.block(parts, file);
    if (closedBy === "") throw new Error(`${file}: {{ ${kind} ${code} }} has no end`);
    const [, another] = /^else if\b([\s\S]*)$/.exec(closedBy) ?? [];
    let otherwise: Node[] = [];
    if (another !== undefined) otherwise = [this.branch("if", another, parts, file)];
    else if (closedBy === "else") otherwise = this.block(parts, file).nodes;
    return { kind, pipeline: pipelineOf(code), body: nodes, otherwise };
  }

  private run(nodes: Node[], frame: Frame): string {
    return nodes
      .map((node) => {
        if (node.kind === "text") return node.text;
        const value = this.pipeline(node.pipeline, frame);
        if (node.kind === "print") return value === undefined || value === null ? "" : String(value);
        if (node.kind === "let") frame.variables.set(node.variable, value);
        if (node.kind === "let") return "";
        const inner = { dot: node.kind === "with" && isTrue(value) ? value : frame.dot, variables: new Map(frame.variables) };
        return this.run(isTrue(value) ? node.body : node.otherwise, inner);
      })
      .join("");
  }

  private pipeline(commands: Pipeline, frame: Frame): unknown {
    let piped: unknown[] = [];
    for (const [first, ...rest] of commands) {
      if (first === undefined) throw new Error("an empty command");
      const given = [...rest.map((each) => this.value(each, frame)), ...piped];
      if (first.kind !== "function" && given.length > 0) throw new Error("arguments are given to what is no function");
      piped = [first.kind === "function" ? this.call(first.name, given) : this.value(first, frame)];
    }
    return piped[0];
  }

  private call(name: string, args: unknown[]): unknown {
    const found = this.functions[name];
    if (!found) throw new Error(`function "${name}" not defined`);
    return found(...(args as never[]));
  }

  private value(operand: Operand, frame: Frame): unknown {
    if (operand.kind === "literal") return operand.value;
    if (operand.kind === "function") return this.call(operand.name, []);
    const { root, fields } = operand;
    const start = typeof root === "string" ? variable(root, frame) : this.pipeline(root, frame);
    return fields.reduce<unknown>((from, field) => {
      if (typeof from !== "object" || from === null) throw new Error(`.${fields.join(".")}: nothing has a field ${field}`);
      return (from as Record<string, unknown>)[field];
    }, start);
  }
}

function variable(name: string, { dot, variables }: Frame): unknown {
  if (name === "") return dot;
  if (!variables.has(name)) throw new Error(`undefined variable ${name}`);
  return variables.get(name);
}

/** True for what Go's templates take as true: no zero, no empty string, list or map. */
export const isTrue = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);

type Part = { kind: "text"; text: string } | { kind: "code"; code: string };

function split(text: string): Part[] {
  const parts: Part[] = [];
  let last = 0;
  let trims = false;
  const add = (piece: string) => parts.push({ kind: "text", text: trims ? piece.trimStart() : piece });
  for (const found of text.matchAll(ACTION)) {
    const before = text.slice(last, found.index);
    add(found[1] ? before.trimEnd() : before);
    if (found[2] !== undefined) parts.push({ kind: "code", code: found[2].trim() });
    trims = found[3] !== undefined;
    last = found.index + found[0].length;
  }
  add(text.slice(last));
  return parts;
}

function statement(code: string): Node {
  const [, name, value] = /^(\$\w+)\s*:=\s*([\s\S]+)$/.exec(code) ?? [];
  if (name && value) return { kind: "let", variable: name, pipeline: pipelineOf(value) };
  return { kind: "print", pipeline: pipelineOf(code) };
}

function pipelineOf(code: string): Pipeline {
  const tokens = tokensOf(code);
  const pipeline = commandsOf(tokens);
  if (tokens.length > 0) throw new Error(`unexpected ${tokens[0]} in {{ ${code} }}`);
  return pipeline;
}

function tokensOf(code: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (code.slice(TOKEN.lastIndex).trim() !== "") {
    const at = TOKEN.lastIndex;
    const [token = ""] = TOKEN.exec(code) ?? [];
    if (token.trim() === "") throw new Error(`can't read {{ ${code} }} from: ${code.slice(at)}`);
    tokens.push(token.trim());
  }
  return tokens;
}

function commandsOf(tokens: string[]): Pipeline {
  const commands: Pipeline = [[]];
  while (tokens.length > 0 && tokens[0] !== ")") {
    const token = tokens.shift() ?? "";
    if (token === "|") commands.push([]);
    else commands.at(-1)?.push(token === "(" ? parenthesis(tokens) : operandOf(token));
  }
  return commands;
}

function parenthesis(tokens: string[]): Operand {
  const root = commandsOf(tokens);
  if (tokens.shift() !== ")") throw new Error("a parenthesis is not closed");
  return { kind: "path", root, fields: [] };
}

function operandOf(token: string): Operand {
  if (token.startsWith('"')) return { kind: "literal", value: JSON.parse(token) };
  if (/^-?\d+$/.test(token)) return { kind: "literal", value: Number(token) };
  if (token === "true" || token === "false") return { kind: "literal", value: token === "true" };
  if (/^\w+$/.test(token)) return { kind: "function", name: token };
  const [root = "", ...fields] = token.split(".");
  return { kind: "path", root, fields: fields.filter(Boolean) };
}
