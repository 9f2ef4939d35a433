import type * as z from "zod/mini";
import { AppError } from "#lib/contracts/api/app-error";
import { shownName, unknownName } from "#lib/contracts/unknown-name";
import { unknownFields } from "./unknown-fields.ts";

type Unknown = { path: string; message: string };

/**
 * Rejects parameters that the route does not declare: left out in silence, a mistyped filter would answer everything.
 *
 * @param query the declared query, an object's schema; without one the route takes no parameter
 * @throws AppError `invalid_request`, which names the nearest known parameter
 */
export function assertKnownParameters(query: z.ZodMiniType | undefined, names: string[]): void {
  const known = Object.keys((query as Partial<z.ZodMiniObject> | undefined)?.shape ?? {});
  reject(
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: shownName(name), message: unknownName("parameter", shownName(name), name, known) })),
  );
}

/**
 * Rejects fields that the body's schema does not declare, at any depth: a mistyped `dryRun` would do what was only to be tried.
 *
 * @param schema the declared body; without one the route takes no field
 * @throws AppError `invalid_request`, which names the nearest known field
 */
export function assertKnownFields(schema: z.ZodMiniType | undefined, body: unknown): void {
  reject(
    unknownFields(schema, body).map(({ path, known }) => {
      const shown = path.map(shownName).join(".");
      return { path: shown, message: unknownName("field", shown, path.at(-1) ?? "", known) };
    }),
  );
}

function reject(errors: Unknown[]): void {
  if (errors.length > 0) throw new AppError("invalid_request", errors.map(({ message }) => message).join(" "), { errors });
}
