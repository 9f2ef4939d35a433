import type { FilterValue, ValueOf } from "./filter-value.ts";

export type FilterInput =
  /** Takes effect after a pause in typing. `name`: for screen readers, if the label says too little. */
  | { as: "text"; placeholder: string; name?: string }
  /** Options are the filter's `choices`, or those that the page passes under the name `of`; `any` stands for none. */
  | { as: "select"; any: string; of?: string }
  | { as: "buttons"; any?: string }
  | { as: "switch"; value: string | boolean };

/** Declared once: schema, URL and form follow from it. */
export type Filter = {
  value: FilterValue;
  label: string;
  choices?: Record<string, string>;
  input?: FilterInput;
  /** Value that the page uses when its URL does not name this filter; `all` lifts it. */
  fallback?: string;
};

export type Filters = Record<string, Filter>;

export type FilterOf<F extends Filters> = { [Name in keyof F]?: ValueOf<F[Name]["value"]> | undefined };
