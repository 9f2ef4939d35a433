import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Statement } from "./find-statements.ts";

/**
 * The texts of the statements, evaluated where their modules know the names in them.
 *
 * @returns the text of each; null where its caller alone decides
 */
export async function readTexts(root: string, statements: Statement[]): Promise<(string | null)[]> {
  const byFile = Map.groupBy(statements, ({ file }) => path.join(root, file));
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = url.endsWith("?texts") ? byFile.get(fileURLToPath(url)) : undefined;
      if (!own) return loaded;
      const texts = own.map(({ text }) => `() => (${text})`).join(", ");
      return { ...loaded, source: `${loaded.source}\nexport const statementTexts = [${texts}];\n` };
    },
  });
  const texts = new Map<Statement, string | null>();
  for (const [file, own] of byFile) {
    const { statementTexts } = (await import(`${pathToFileURL(file).href}?texts`)) as { statementTexts: (() => unknown)[] };
    for (const [index, statement] of own.entries()) texts.set(statement, textOf(statementTexts[index]));
  }
  hooks.deregister();
  return statements.map((statement) => texts.get(statement) ?? null);
}

function textOf(evaluate: (() => unknown) | undefined): string | null {
  try {
    const value = evaluate?.();
    return typeof value === "string" ? value : ((value as { text?: string } | null | undefined)?.text ?? null);
  } catch {
    return null;
  }
}
