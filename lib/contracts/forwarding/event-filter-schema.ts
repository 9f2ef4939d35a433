import * as z from "zod/mini";
import { findFilterProblem } from "./event-filter.ts";

export const eventFilter = z.pipe(
  z.unknown().check(
    z.superRefine((value, context) => {
      const problem = findFilterProblem(value);
      if (problem)
        context.issues.push({ code: "custom", input: value, message: `${problem.path && `${problem.path}: `}${problem.message}` });
    }),
  ),
  z.record(z.string(), z.unknown()),
);
