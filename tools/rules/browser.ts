import { targetOf } from "./fragments.ts";
import type { Rule } from "./source-file.ts";

/** What a page's scripts are made of. A type is gone before the browser loads anything, and what is loaded later is no import. */
const BROWSER = /^(components|lib\/client)\//;
const CONTRACTS = /^lib\/contracts\//;
const VALUES = /^(?:import|export) (?!type )([^;]*?) from "([^"]+)";?$/gm;

/** Names or paths of the modules whose values a file imports. */
const importsOf = (name: string, text: string): string[] =>
  [...text.matchAll(VALUES)]
    .filter(([, names = ""]) =>
      names
        .replaceAll(/[{}]/g, "")
        .split(",")
        .some((each) => each.trim() !== "" && !/^type\s/.test(each.trim())),
    )
    .map(([, , specifier = ""]) => targetOf(name, specifier) ?? specifier);

/** Zod is as large as what else a page loads: its scripts import no values of a module that brings it. */
export const schemasStayOut: Rule = (files) => {
  const imports = new Map(files.filter(({ name }) => CONTRACTS.test(name)).map(({ name, text }) => [name, importsOf(name, text)]));
  const known = new Map<string, boolean>();
  const bringsZod = (module: string): boolean => {
    if (/^zod(\/|$)/.test(module)) return true;
    const found = known.get(module) ?? imports.get(module)?.some(bringsZod) ?? false;
    known.set(module, found);
    return found;
  };
  return files
    .filter(({ name }) => BROWSER.test(name))
    .flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter(bringsZod)
        .map(
          (module) =>
            `${name} imports values of ${module}, which brings Zod into the browser. Import its types, or take the values as props.`,
        ),
    );
};
