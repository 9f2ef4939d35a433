import path from "node:path";
import type { CallExpression, Expression, Node, SourceFile } from "typescript/unstable/ast";
import {
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
} from "typescript/unstable/ast/is";
import { API, type Checker, type Type, TypeFlags, type TypeReference, type UnionOrIntersectionType } from "typescript/unstable/sync";
import { textSource } from "./text-source.ts";

/** Types of a row's fields, as the database's driver tells values apart: "string", "number[]", "null", "any" … */
export type RowType = Map<string, Set<string>>;

/** A statement whose rows have a type: where it stands, an expression that gives its text at the end of its module, its row. */
export type Statement = { file: string; line: number; text: string; row: RowType };

/** Finds every statement of the product's stores that names the type of its rows. */
export function findStatements(root: string, files: string[]): Statement[] {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [path.join(root, "tsconfig.json")] }).getProjects()[0];
    if (!project) throw new Error("tsconfig.json is no project");
    return files.flatMap((file) => {
      const source = project.program.getSourceFile(path.join(root, file));
      return source ? statementsOf(source, file, project.checker) : [];
    });
  } finally {
    api.close();
  }
}

function statementsOf(source: SourceFile, file: string, checker: Checker): Statement[] {
  const found: Statement[] = [];
  const visit = (node: Node): void => {
    node.forEachChild(visit);
    if (!isCallExpression(node)) return;
    const [rowNode] = node.typeArguments ?? [];
    const text = textOf(node);
    const row = rowNode && text ? checker.getTypeAtLocation(rowNode) : undefined;
    // A helper that passes its caller's type on sends its caller's statement.
    if (!row || !text || row.flags & TypeFlags.TypeParameter) return;
    const line = source.text.slice(0, node.getStart(source)).split("\n").length;
    found.push({ file, line, text: textSource(text, source), row: rowTypeOf(row, checker) });
  };
  source.forEachChild(visit);
  return found;
}

/** Functions that send their second argument. */
const QUERIES = new Set(["queryCount", "queryRows", "queryRow", "queryValue", "queryValues", "queryWithin"]);

/** The argument of `query`, or of one of `QUERIES`, that is the statement's text. */
function textOf({ expression, arguments: given }: CallExpression): Expression | undefined {
  const isOurs = isIdentifier(expression) && QUERIES.has(expression.text);
  if (!isOurs && !(isPropertyAccessExpression(expression) && expression.name.text === "query")) return undefined;
  const statement = isOurs ? given[1] : given[0];
  if (!statement || !isObjectLiteralExpression(statement)) return statement;
  for (const each of statement.properties) {
    if (isPropertyAssignment(each) && each.name.getText() === "text") return each.initializer;
    if (isShorthandPropertyAssignment(each) && each.name.getText() === "text") return each.name as Expression;
  }
  return undefined;
}

function rowTypeOf(row: Type, checker: Checker): RowType {
  return new Map(
    checker.getPropertiesOfType(row).map((field) => {
      const type = checker.getTypeOfSymbol(field);
      return [field.name, new Set(type ? kindsOf(type, checker) : ["any"])];
    }),
  );
}

function kindsOf(type: Type, checker: Checker): string[] {
  const { flags } = type;
  if (flags & TypeFlags.AnyOrUnknown) return ["any"];
  if (flags & TypeFlags.Nullable) return ["null"];
  if (flags & TypeFlags.Union) return partsOf(type).flatMap((part) => kindsOf(part, checker));
  if (flags & TypeFlags.Intersection) return [intersection(partsOf(type).flatMap((part) => kindsOf(part, checker)))];
  if (flags & (TypeFlags.StringLike | TypeFlags.Enum)) return ["string"];
  if (flags & TypeFlags.NumberLike) return ["number"];
  if (flags & (TypeFlags.Boolean | TypeFlags.BooleanLiteral)) return ["boolean"];
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as TypeReference);
    return (element ? kindsOf(element, checker) : ["any"]).map((kind) => `${kind}[]`);
  }
  const name = type.getSymbol()?.name ?? "";
  return [name === "Date" || name === "Buffer" ? name : "object"];
}

const partsOf = (type: Type): readonly Type[] => (type as UnionOrIntersectionType).getTypes() ?? [];

/** A branded text is a text: what its mark adds is no value. */
const intersection = (kinds: string[]): string => kinds.find((kind) => kind !== "object") ?? "object";
