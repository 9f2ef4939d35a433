import { CHECKS } from "./checks.ts";

// `npm run check`: everything that can be known without running the product.

/**
 * Runs all checks at once, most of which use one processor, and prints what each found. No time of its own: those in this process
 * keep it from hearing when the others end.
 *
 * @param built resolves when nobody makes the build any more: it empties the folder in which Next describes the routes
 * @returns how many passed and failed
 */
export async function runChecks(built: Promise<void> = Promise.resolve()): Promise<{ passed: number; failed: number }> {
  const passes = CHECKS.map(async ({ name, run }) => {
    const findings = await run(built).catch((error: Error) => error.message);
    process.stdout.write(`  ${findings ? "✗" : "✓"} ${name}\n${findings && `${findings.replace(/^/gm, "      ")}\n`}`);
    return findings === "";
  });
  const passed = (await Promise.all(passes)).filter((isPassed) => isPassed).length;
  return { passed, failed: CHECKS.length - passed };
}

if (import.meta.main) {
  const { passed, failed } = await runChecks();
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
