import { randomInt } from "node:crypto";
import { startBeside } from "./support/beside.ts";
import { approve, openDialog } from "./support/connect.ts";
import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { queryInstallation } from "./support/installation-database.ts";
import { signIn } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";

test("two web processes and two workers, 100 requests at once for a token that has expired: the platform sees 1 refresh", async ({
  page,
}) => {
  test.setTimeout(90_000);
  await signIn(page);
  await openDialog(page, "Asked by a hundred");
  // Slow enough that all hundred have asked before the answer comes.
  await approve(page, "Take 6 seconds on every renewal");
  await expect(page).toHaveURL(/\/connections\/con_/);
  const id = new URL(page.url()).pathname.split("/").at(-1);

  const port = randomInt(30_000, 31_000);
  await startBeside("tests/e2e/support/second-web.ts", { PORT: String(port) });
  await startBeside("lib/processes/worker.ts");
  const receivers = [baseUrl(), `http://localhost:${port}`];
  await queryInstallation(
    "UPDATE connections SET access_expires_at = now() - interval '1 second', next_refresh_at = now() - interval '1 second' WHERE id = $1",
    [id],
  );
  const seenBefore = await refreshesSeen();
  const ask = async (caller: number) => {
    const answer = await fetch(`${receivers[caller % 2]}/api/v1/connections/${id}/refresh`, {
      method: "POST",
      headers: { authorization: `Bearer ${INSTALLATION.apiKey}` },
    });
    return { status: answer.status, state: ((await answer.json()) as { state?: string }).state };
  };
  const answers = await Promise.all(Array.from({ length: 100 }, (_, caller) => ask(caller)));
  expect(answers).toEqual(Array(100).fill({ status: 200, state: "connected" }));
  const seen = (await refreshesSeen()) - seenBefore;
  process.stdout.write(`100 requests to 2 web processes beside 2 workers, token expired: ${seen} refresh seen by the platform\n`);
  expect(seen).toBe(1);
});

/** The sandbox platform's own books: each refresh spends one refresh token. */
async function refreshesSeen(): Promise<number> {
  const [row] = await queryInstallation<{ n: string }>("SELECT count(*) AS n FROM sandbox_spent_tokens");
  return Number(row?.n);
}
