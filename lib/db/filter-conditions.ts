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
