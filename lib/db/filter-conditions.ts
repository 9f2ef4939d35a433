/** The values of a statement, handed over apart from its text. */
export class SqlValues {
  readonly values: unknown[];

  constructor(...first: unknown[]) {
    this.values = first;
  }

  /** Adds a value. @returns its placeholder */
  bind = (value: unknown): string => `$${this.values.push(value)}`;
}

type Bind = SqlValues["bind"];

/** SQL of each filter of a list. One that has no entry is a type error. */
export type FilterConditions<F> = { [Name in keyof F]-?: (value: NonNullable<F[Name]>, bind: Bind) => string };

/** Returns what a filter asks for, as conditions to be joined by AND; empty parts ask for nothing. */
export const conditionsOf = <F extends object>(conditions: FilterConditions<F>, filter: F, bind: Bind): string[] =>
  (Object.keys(conditions) as (keyof F)[]).flatMap((name) => conditionOf(conditions, filter, name, bind));

function conditionOf<F extends object, Name extends keyof F>(conditions: FilterConditions<F>, filter: F, name: Name, bind: Bind): string[] {
  const value = filter[name];
  return value === undefined || value === null || value === "" ? [] : [conditions[name](value, bind)];
}
