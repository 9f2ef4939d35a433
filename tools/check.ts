import { CHECKS } from "./checks.ts";

// `npm run check`: everything that can be known without running the product.

/** Runs all checks, one after the other, and prints what each found. @returns how many passed and failed */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  let failed = 0;
  for (const { name, run } of CHECKS) {
    const since = Date.now();
    const findings = await run().catch((error: Error) => error.message);
    const seconds = ((Date.now() - since) / 1000).toFixed(1);
    process.stdout.write(`  ${findings ? "✗" : "✓"} ${name} (${seconds} s)\n`);
    if (findings) {
      failed++;
      process.stdout.write(`${findings.replace(/^/gm, "      ")}\n`);
    }
  }
  return { passed: CHECKS.length - failed, failed };
}

if (import.meta.main) {
  const { passed, failed } = await runChecks();
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
