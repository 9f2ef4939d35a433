import * as z from "zod/mini";
import type { FilterValue, ValueOf } from "./filter-value.ts";
import type { Filters } from "./filters.ts";
import { repeated } from "./paging.ts";
import { moment, text } from "./parameters.ts";

type Shape<D extends Filters> = { [Name in keyof D]: z.ZodMiniOptional<z.ZodMiniType<ValueOf<D[Name]["value"]>>> };

export const filterShape = <D extends Filters>(filters: D): Shape<D> =>
  Object.fromEntries(Object.entries(filters).map(([name, { value }]) => [name, schemaOf(value)])) as Shape<D>;

function schemaOf(value: FilterValue): z.ZodMiniType {
  switch (value.kind) {
    case "text": {
      const { check, error } = value;
      return z.optional(check ? text(value.max).check(z.refine(check, { error })) : text(value.max));
    }
    case "texts":
      return repeated(text(value.max));
    case "choice":
      return z.optional(value.values.length === 1 ? z.literal(value.values[0]) : z.enum(value.values));
    case "choices":
      return repeated(z.enum(value.values));
    case "flag":
      return z.optional(z.stringbool());
    case "moment":
      return z.optional(moment);
  }
}
