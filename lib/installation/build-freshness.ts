import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A change in any of them makes the build stale. */
const INPUTS = [
  "app",
  "components",
  "lib",
  "packages/cli/src",
  "packages/cli/build.ts",
  "packages/cli/package.json",
  "public",
  "prisma/schema.prisma",
  "package-lock.json",
  "next.config.ts",
  "postcss.config.mjs",
  "tailwind.config.ts",
  "tsconfig.json",
  "proxy.ts",
  "instrumentation-client.ts",
];

/** Made from schema.prisma, which is counted already, and newer at every install. */
const GENERATED = "lib/db/generated";

const STAMP = ".next/signalbox-build";

export function hashBuildInputs(root: string): string {
  const hash = createHash("sha256");
  for (const file of INPUTS.flatMap((input) => listFiles(root, input)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function listFiles(root: string, relative: string): string[] {
  const stat = statSync(path.join(root, relative), { throwIfNoEntry: false });
  if (!stat || relative === GENERATED) return [];
  if (!stat.isDirectory()) return [relative];
  return readdirSync(path.join(root, relative)).flatMap((name) => listFiles(root, `${relative}/${name}`));
}

/** True for a whole build of the present inputs. The packed product has no sources: its build is the only one. */
export function isBuildFresh(root: string, inputs?: string): boolean {
  const stamp = path.join(root, STAMP);
  if (!existsSync(path.join(root, ".next/BUILD_ID")) || !existsSync(stamp)) return false;
  return !existsSync(path.join(root, "app")) || readFileSync(stamp, "utf8") === (inputs ?? hashBuildInputs(root));
}

/** Stamps a build that succeeded, with the hash from before it. */
export function markBuilt(root: string, inputs: string): void {
  writeFileSync(path.join(root, STAMP), inputs);
}
