import type { FilterValue, ValueOf } from "./filter-value.ts";

/** Input of a filter in a list's form. A filter without one is asked for elsewhere, or by links alone. */
export type FilterInput =
  /** It takes effect after a pause in typing. `name`: for screen readers, where the label says too little. */
  | { as: "text"; placeholder: string; name?: string }
  /** One of the filter's `choices`, or of options that the page hands in under the name `of`; `any` stands for none. */
  | { as: "select"; any: string; of?: string }
  /** One of the filter's `choices` side by side; `any` stands for all of them, where they may be asked for together. */
  | { as: "buttons"; any?: string }
  | { as: "switch"; value: string | boolean };

/** One filter of a list, declared once: schema, URL and form follow from it. */
export type Filter = {
  value: FilterValue;
  /** Its name on screen. */
  label: string;
  /** Its values in words, where they are few. */
  choices?: Record<string, string>;
  input?: FilterInput;
  /** Value that the page uses when its URL does not name this filter; `all` lifts it. */
  fallback?: string;
};

export type Filters = Record<string, Filter>;

/** Filters of a list; a filter left out narrows nothing. */
export type FilterOf<F extends Filters> = { [Name in keyof F]?: ValueOf<F[Name]["value"]> | undefined };
