import type * as z from "zod/mini";
import { AppError } from "#lib/contracts/api/app-error";
import { shownName, unknownName } from "#lib/contracts/unknown-name";
import { unknownFields } from "./unknown-fields.ts";

type Unknown = { path: string; message: string };

/** Rejects undeclared parameters: ignored, a mistyped filter would return everything. @throws AppError `invalid_request` */
export function assertKnownParameters(query: z.ZodMiniType | undefined, names: string[]): void {
  const known = Object.keys((query as Partial<z.ZodMiniObject> | undefined)?.shape ?? {});
  reject(
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: shownName(name), message: unknownName("parameter", shownName(name), name, known) })),
  );
}

/** Rejects undeclared fields at any depth: with a mistyped `dryRun` a request would take effect. @throws AppError `invalid_request` */
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
