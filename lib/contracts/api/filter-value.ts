import { isMoment, isStorableText } from "./bounds.ts";

/** The browser reads and writes URLs by it; `filterShape` makes the API's schema from it. `max` counts characters. */
export type FilterValue =
  | { kind: "text"; max: number; check?: (text: string) => boolean; error?: string }
  | { kind: "texts"; max: number }
  | { kind: "choice"; values: readonly [string, ...string[]] }
  | { kind: "choices"; values: readonly [string, ...string[]] }
  | { kind: "flag" }
  | { kind: "moment" };

export type ValueOf<V extends FilterValue> = V extends { kind: "texts" }
  ? string[]
  : V extends { kind: "choice"; values: readonly (infer Choice)[] }
    ? Choice
    : V extends { kind: "choices"; values: readonly (infer Choice)[] }
      ? Choice[]
      : V extends { kind: "flag" }
        ? boolean
        : string;

export const MAX_REPEATS = 50;

/** Reads a filter's value from a URL; undefined if it is invalid: a mistyped link shows more, never an error. */
export function readFilterValue(value: FilterValue, said: readonly string[]): string | string[] | boolean | undefined {
  const [first] = said;
  switch (value.kind) {
    case "text": {
      const text = first?.trim().slice(0, value.max).toWellFormed();
      return text && isStorableText(text) && (value.check?.(text) ?? true) ? text : undefined;
    }
    case "texts":
      return someOf(said.filter((text) => text !== "" && text.length <= value.max && isStorableText(text)).slice(0, MAX_REPEATS));
    case "choice":
      return value.values.find((one) => one === first);
    case "choices":
      return someOf(value.values.filter((one) => said.includes(one)));
    case "flag":
      return first === "true" ? true : first === "false" ? false : undefined;
    case "moment":
      return first !== undefined && isMoment(first) ? first : undefined;
    default:
      return value satisfies never;
  }
}

const someOf = (values: string[]) => (values.length > 0 ? values : undefined);
