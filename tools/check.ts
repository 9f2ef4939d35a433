import { CHECKS } from "./checks.ts";

// `npm run check`: everything that can be known without running the product.

/** Runs all checks at once, most of which use one processor, and prints what each found. @returns how many passed and failed */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const since = Date.now();
  const passes = CHECKS.map(async ({ name, run }) => {
    const findings = await run().catch((error: Error) => error.message);
    const seconds = ((Date.now() - since) / 1000).toFixed(1);
    process.stdout.write(`  ${findings ? "✗" : "✓"} ${name} (${seconds} s)\n${findings && `${findings.replace(/^/gm, "      ")}\n`}`);
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
