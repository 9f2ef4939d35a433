export class SqlValues {
  readonly values: unknown[];

  constructor(...first: unknown[]) {
    this.values = first;
  }

  /** Returns the value's placeholder. */
  bind = (value: unknown): string => `$${this.values.push(value)}`;
}

type Bind = SqlValues["bind"];

/** A filter without an entry is a type error. */
export type FilterConditions<F> = { [Name in keyof F]-?: (value: NonNullable<F[Name]>, bind: Bind) => string };

/** Returns conditions to be joined by AND; empty parts give none. */
export const conditionsOf = <F extends object>(conditions: FilterConditions<F>, filter: F, bind: Bind): string[] =>
  (Object.keys(conditions) as (keyof F)[]).flatMap((name) => conditionOf(conditions, filter, name, bind));

function conditionOf<F extends object, Name extends keyof F>(conditions: FilterConditions<F>, filter: F, name: Name, bind: Bind): string[] {
  const value = filter[name];
  return value === undefined || value === null || value === "" ? [] : [conditions[name](value, bind)];
}

/** U+001E, the record separator: JSON text has no unescaped control character. */
const SEPARATOR = "\u001e";

/** Joins texts into one parameter for `splitSql`: to quote long JSON in an array costs as much as parsing it. */
export const joined = (texts: string[]): string =>
  texts.map((text) => (text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, " ") : text)).join(SEPARATOR);

/** Splits such a parameter into `text[]`. No text may be the only one and empty. */
export const splitSql = (parameter: string): string => `string_to_array(${parameter}::text, chr(30))`;
