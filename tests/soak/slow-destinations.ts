import { createServer } from "node:http";
import { request } from "undici";
import type { Installation } from "#tests/chaos/installation";
import { COSTLY_FILTER } from "#tests/support/neighbours";

const SLOW = 6;
const ANSWER_MS = 9000;
const COSTLY = 3;

/** Events received by a destination that answers at once, beside slow ones. */
export type SlowDestinations = { seen: Set<string>; words: () => string; close: () => void };

/**
 * Neighbours of a soak: six destinations that get every processed document and
 * answer after nine seconds, some whose filters cost much with each large event, and one that answers at once. Its
 * events must not wait for them.
 */
export async function startSlowDestinations(installation: Installation): Promise<SlowDestinations> {
  const seen = new Set<string>();
  let slow = 0;
  const server = createServer((incoming, response) => {
    incoming.resume().on("end", () => {
      if (incoming.url === "/slow") {
        slow += 1;
        setTimeout(() => response.end(), ANSWER_MS).unref();
        return;
      }
      seen.add(decodeURIComponent(String(incoming.headers["signalbox-event-id"])));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await create(installation, "Healthy", `http://127.0.0.1:${port}/healthy`, { concurrency: 100 });
  for (let n = 0; n < SLOW; n += 1)
    await create(installation, `Slow ${n}`, `http://127.0.0.1:${port}/slow`, { types: ["document.processed"] });
  for (let n = 0; n < COSTLY; n += 1)
    await create(installation, `Costly ${n}`, `http://127.0.0.1:${port}/costly`, { filter: COSTLY_FILTER });
  return {
    seen,
    words: () =>
      `${seen.size} events at the destination that answers at once, ${slow} requests to ${SLOW} that answer after ${ANSWER_MS / 1000} s, ${COSTLY} with costly filters`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function create({ url, apiKey }: Installation, name: string, target: string, settings: object): Promise<void> {
  const { statusCode, body } = await request(`${url}/api/v1/destinations`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name, url: target, ...settings }),
  });
  if (statusCode !== 201) throw new Error(`the destination was answered ${statusCode}: ${await body.text()}`);
}
