import { ensureBuild } from "#lib/installation/build";
import { complain, step } from "./progress.ts";

// `npm run build`: makes the production build that a start would make, for an image.

try {
  await step("build", () => ensureBuild());
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
