import { ensureBuild, progressWords } from "#lib/installation/build";
import { complain, step } from "./progress.ts";

// `npm run build`: makes the build that a start would make, for an image.

try {
  await step("build", (tell) => ensureBuild({ onProgress: (progress) => tell(progressWords(progress)) }));
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
