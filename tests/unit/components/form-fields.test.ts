import { parseAst } from "rolldown/parseAst";
import { expect, it } from "vitest";
import { readSources } from "../../../tools/rules/source-file.ts";
import { ROOT } from "../../../tools/run-command.ts";

const components = readSources(ROOT).filter(({ name }) => /^(app|components)\/.*\.tsx$/.test(name));

const CONTROLS = new Set(["Input", "Textarea", "input", "textarea", "select"]);
/** What the browser checks before it sends a form, and says in a bubble of its own. */
const MENTIONED = /\b(?:required|pattern|minLength|setCustomValidity|min|max|step)\b|type="(?:email|url|number|date|time|datetime-local)"/;
const CHECKED = /^(?:required|min|max|step|pattern|minLength)\b|^type="(?:email|url|number|date|time|datetime-local)"|setCustomValidity/;

/** Yields the controls that the browser checks, each with the elements around it. */
function* checkedControls(text: string, node: unknown, around: string[] = []): Generator<{ control: string; around: string[] }> {
  if (typeof node !== "object" || node === null) return;
  const { type, openingElement } = node as { type?: string; openingElement?: { name: Place; attributes: Place[] } };
  const textOf = ({ start, end }: Place) => text.slice(start, end);
  if (type === "JSXElement" && openingElement) {
    const name = textOf(openingElement.name);
    const attributes = openingElement.attributes.map(textOf);
    if (CONTROLS.has(name) && attributes.some((each) => CHECKED.test(each)) && !attributes.includes('type="range"'))
      yield { control: `<${name} ${attributes[0]}`, around };
    around = [...around, name];
  }
  for (const part of Object.values(node)) yield* checkedControls(text, part, around);
}

const PANES = "components/ui/overlay/panes";

type Place = { start: number; end: number };

it("what the browser checks stands in a Field, which says at the control what is wrong, in our words", () => {
  const found = components
    .filter(({ text }) => MENTIONED.test(text) && [...CONTROLS].some((control) => text.includes(`<${control}`)))
    .flatMap(({ name, text }) => [...checkedControls(text, parseAst(text, { lang: "tsx" }))].map((each) => ({ name, ...each })));
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(({ around }) => !around.includes("Field")).map(({ name, control }) => `${name}: ${control}`)).toEqual([]);
});

it("a window is a pane of overlay/panes, which asks before Escape discards what was entered", () => {
  const own = components.filter(({ text }) => /import \{[^}]*Dialog\b[^}]*\} from "radix-ui"|<dialog\b/.test(text)).map(({ name }) => name);
  // The palette has a search and no form.
  expect(own.sort()).toEqual([
    "components/shell/palette/palette-window.tsx",
    ...["confirm", "dialog"].map((each) => `${PANES}/${each}-pane.tsx`),
  ]);
});
