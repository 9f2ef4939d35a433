import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { stringify } from "yaml";
import { isTrue, type TemplateFunctions, Templates } from "./go-template.ts";
import { readObject, readObjects, YAML_OF_GO } from "./read-yaml.ts";

type Values = { [name: string]: unknown };

/** Helm's and Sprig's functions that the chart calls. */
const FUNCTIONS: TemplateFunctions = {
  and: (...all: unknown[]) => all.find((each) => !isTrue(each)) ?? all.at(-1),
  contains: (part: string, whole: string) => whole.includes(part),
  default: (otherwise: unknown, value: unknown) => (isTrue(value) ? value : otherwise),
  dict: (...pairs: unknown[]) =>
    Object.fromEntries(pairs.flatMap((name, index) => (index % 2 === 0 ? [[String(name), pairs[index + 1]]] : []))),
  eq: (one: unknown, other: unknown) => one === other,
  nindent: (width: number, text: string) => `\n${text.replace(/^/gm, " ".repeat(width))}`,
  not: (value: unknown) => !isTrue(value),
  printf: (format: string, ...values: unknown[]) => format.replaceAll("%s", () => String(values.shift())),
  quote: (value: unknown) => (value === undefined || value === null ? "" : JSON.stringify(String(value))),
  sha256sum: (text: string) => createHash("sha256").update(text).digest("hex"),
  toYaml: (value: unknown) => stringify(value, YAML_OF_GO).trimEnd(),
  trimSuffix: (suffix: string, text: string) => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text),
  trunc: (length: number, text: string) => text.slice(0, length),
};

/** A chart, read once: what it refuses of values, and what it makes of them. */
export class HelmChart {
  private readonly templates = new Templates(FUNCTIONS);
  private readonly files: string[];
  private readonly defaults: Values;
  private readonly chart: Values;
  private readonly schema: object;

  /** @param edit changes the text of a file of the chart before it is read */
  constructor(folder: string, edit: (text: string, file: string) => string = (text) => text) {
    const read = (file: string) => edit(readFileSync(path.join(folder, file), "utf8"), file);
    this.files = readdirSync(path.join(folder, "templates"));
    for (const file of this.files) this.templates.parse(file, read(`templates/${file}`));
    this.defaults = readObject(read("values.yaml"));
    this.chart = capitalized(readObject(read("Chart.yaml")));
    this.schema = JSON.parse(read("values.schema.json"));
  }

  /** Returns what values.schema.json finds wrong, in words; nothing when all is well. */
  refuses(values: Values): string {
    const ajv = new Ajv({ allErrors: true, strict: false });
    ajv.validate(this.schema, merged(this.defaults, values));
    return ajv.errors ? ajv.errorsText() : "";
  }

  /** Renders every file, as `helm install` would. @returns the objects, and the words that it ends with */
  render(values: Values): { objects: Values[]; notes: string } {
    const release = { Name: "acme", Namespace: "signalbox", Service: "Helm" };
    const dot = { Values: merged(this.defaults, values), Chart: this.chart, Release: release };
    const rendered = this.files.map((file) => [file, this.templates.render(file, dot)] as const);
    const objects = rendered.flatMap(([file, text]) => (file.endsWith(".yaml") ? readObjects(text) : []));
    return { objects, notes: rendered.find(([file]) => file === "NOTES.txt")?.[1] ?? "" };
  }
}

const isMap = (value: unknown): value is Values => typeof value === "object" && value !== null && !Array.isArray(value);

const merged = (base: Values, over: Values): Values =>
  Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((name) => {
      const [below, above] = [base[name], over[name]];
      if (isMap(below) && isMap(above)) return [name, merged(below, above)];
      return [name, name in over ? above : below];
    }),
  );

const capitalized = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]));
