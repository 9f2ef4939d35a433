import { readFile } from "node:fs/promises";
import path from "node:path";
import { PRODUCT_VERSION } from "#lib/config/product-version";
import { AppError } from "#lib/contracts/api/app-error";
import { commandLinePath } from "#lib/contracts/command-line-package";

const OWN = path.basename(commandLinePath(PRODUCT_VERSION));

/** Returns the command line that the production build packed. @throws AppError `not_found` for another version, or without a build */
export async function readCommandLine(file: string): Promise<Buffer> {
  if (file !== OWN) throw new AppError("not_found", `This Signalbox serves /cli/${OWN}.`);
  return readFile(path.resolve("packages/cli/dist", OWN)).catch(() => {
    throw new AppError("not_found", "The production build packs the command line. In a clone, use npm run cli.");
  });
}
