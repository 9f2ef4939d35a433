import type { Expression, Node, SourceFile, VariableDeclaration } from "typescript/unstable/ast";
import {
  isBindingElement,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isTemplateExpression,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";

/** The names that the function around a statement declares, with what a constant among them begins with. */
type Locals = Map<string, Expression | null>;

/**
 * Returns an expression that gives a statement's text where only the module's own names are known, so that it can be
 * evaluated at the end of the module. What the caller decides is left open: conditions become TRUE, values NULL.
 */
export function textSource(node: Expression, file: SourceFile): string {
  return render(node, localsAround(node, file), file) ?? "null";
}

function localsAround(node: Node, file: SourceFile): Locals {
  let top: Node = node;
  while (top.parent && top.parent !== file) top = top.parent;
  return declaredIn(top, top);
}

function declaredIn(node: Node, top: Node): Locals {
  const found: Locals = new Map();
  const visit = (each: Node): void => {
    const isTop = each.parent.parent?.parent === top.parent;
    if (isVariableDeclaration(each) && isIdentifier(each.name) && !isTop)
      found.set(each.name.text, found.has(each.name.text) ? null : ((each as VariableDeclaration).initializer ?? null));
    else if ((isParameterDeclaration(each) || isBindingElement(each)) && each.name && isIdentifier(each.name))
      found.set(each.name.text, null);
    each.forEachChild(visit);
  };
  node.forEachChild(visit);
  return found;
}

/** The source of an expression without local names; null where there is none. */
function render(node: Expression, locals: Locals, file: SourceFile): string | null {
  if (isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => `\${${render(span.expression, locals, file) ?? '"NULL"'}}${raw(span.literal, file)}`);
    return `\`${raw(node.head, file)}${spans.join("")}\``;
  }
  if (isIdentifier(node)) {
    if (!locals.has(node.text)) return node.text;
    const initializer = locals.get(node.text);
    return initializer ? render(initializer, locals, file) : null;
  }
  if (isConditionalExpression(node)) return render(node.whenTrue, locals, file) ?? render(node.whenFalse, locals, file);
  if (usesOnly(node, locals)) return node.getText(file);
  if (!isCallExpression(node)) return null;
  const called = node.expression;
  if (isPropertyAccessExpression(called)) return called.name.text === "join" && /AND/.test(node.getText(file)) ? '"TRUE"' : null;
  if (!usesOnly(called, locals)) return null;
  return `${called.getText(file)}(${node.arguments.map((each) => render(each, locals, file) ?? '"NULL"').join(", ")})`;
}

/** The text of a part of a template as it is written, without what opens and closes it. */
const raw = (part: Node, file: SourceFile): string =>
  part
    .getText(file)
    .replace(/^[`}]/, "")
    .replace(/(\$\{|`)$/, "");

/** True if an expression names nothing local but what it declares itself. */
function usesOnly(node: Node, locals: Locals): boolean {
  const own = declaredIn(node, node);
  const isLocal = (each: Node): boolean => {
    if (isPropertyAccessExpression(each)) return isLocal(each.expression);
    if (isIdentifier(each)) return locals.has(each.text) && !own.has(each.text);
    return each.getText() === "this" || each.forEachChild((child) => isLocal(child) || undefined) === true;
  };
  return !isLocal(node);
}
