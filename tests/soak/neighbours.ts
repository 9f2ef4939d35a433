import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { Installation } from "#tests/chaos/installation";
import { letAct, neighboursOf } from "#tests/support/neighbours";
import type { Sender } from "./sender.ts";

/** Each neighbour acts for so long, and then nobody does. Milliseconds. */
const ACTS_MS = 10_000;
const NOBODY = "nobody";

/** Cost of a soak's neighbours to its webhooks. */
export type Beside = { words: () => string };

/**
 * Lets one neighbour after the other act, with pauses in which nobody does, until the sending is over. Beside whom
 * each webhook was answered is noted.
 */
export async function startNeighbours(installation: Installation, sender: Sender, until: number): Promise<Beside> {
  const viewer = await makeViewer(installation);
  let growing = "evt_none";
  const neighbours = neighboursOf({
    port: installation.port,
    source: "platform",
    keys: { viewer, manager: installation.apiKey },
    pipeline: "pip_0",
    event: () => growing,
  });
  const times = new Map<string, number[]>();
  const answers = new Map<string, Record<number, number>>();
  let acting = NOBODY;
  sender.onAcknowledged = (ms, { key, body }) => {
    if (body.includes("_growing_")) growing = key;
    const of = times.get(acting) ?? [];
    times.set(acting, of);
    of.push(ms);
  };
  const turn = async (name: string, run: () => Promise<void>) => {
    acting = name;
    await run();
  };
  void (async () => {
    for (let n = 0; Date.now() < until; n += 1) {
      await turn(NOBODY, () => sleep(ACTS_MS));
      const neighbour = neighbours[n % neighbours.length];
      if (!neighbour || Date.now() >= until) break;
      await turn(neighbour.name, async () => {
        const stop = letAct(neighbour);
        await sleep(ACTS_MS);
        const seen = answers.get(neighbour.name) ?? {};
        for (const [status, count] of Object.entries(await stop())) seen[Number(status)] = (seen[Number(status)] ?? 0) + count;
        answers.set(neighbour.name, seen);
      });
    }
    acting = NOBODY;
  })();
  return { words: () => [...times].map(([name, of]) => `\n    ${figures(of)} beside ${name} ${told(answers.get(name))}`).join("") };
}

const told = (answers: Record<number, number> | undefined) => (answers ? JSON.stringify(answers) : "");

function figures(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}`;
}

async function makeViewer({ url, apiKey }: Installation): Promise<string> {
  const { statusCode, body } = await request(`${url}/api/v1/api-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "a neighbour", role: "viewer" }),
  });
  if (statusCode !== 201) throw new Error(`the key was answered ${statusCode}: ${await body.text()}`);
  return ((await body.json()) as { key: string }).key;
}
