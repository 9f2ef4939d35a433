import type { z } from "zod";

/** Returns the errors by field: `data.id: expected string, received number`. */
export const issueWords = (error: z.ZodError, ...place: string[]): string[] =>
  error.issues.map(({ path, message }) => `${[...place, ...path].join(".") || "body"}: ${message.replace(/^Invalid input: /, "")}`);
