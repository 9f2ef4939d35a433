import { setTimeout as sleep } from "node:timers/promises";
import { openWire } from "./raw-request.ts";

/** Targets of the neighbours' requests, and the keys they use. */
export type Neighbourhood = {
  port: number;
  source: string;
  /** A viewer's API key, and one of somebody who may change destinations. */
  keys: { viewer: string; manager: string };
  /** A pipeline of many tasks, and the newest event of a record of many events. */
  pipeline: string;
  event: () => Promise<string> | string;
};

/** Somebody who asks for much, in so many parallel loops. */
export type Neighbour = { name: string; parallel: number; act: () => Promise<number> };

const PARALLEL = 16;

/** As much as a filter may hold, of which nothing matches. */
export const COSTLY_FILTER = { data: { filling: { $in: Array.from({ length: 4900 }, (_, n) => 100 + (n % 900)) } } };

const stateAsOf = (id: string) => ({
  name: "state_as_of",
  arguments: { kind: "pipelines", id, asOf: new Date(Date.now() + 60_000).toISOString() },
});

/** Does what one person, strangers and open connections do to everybody else. */
export function neighboursOf({ port, source, keys, pipeline, event }: Neighbourhood): Neighbour[] {
  const at = `http://127.0.0.1:${port}`;
  const ask = async (path: string, { key, ...init }: RequestInit & { key?: string } = {}) => {
    const authorization = key ? { authorization: `Bearer ${key}` } : {};
    const answer = await fetch(`${at}${path}`, { ...init, headers: { ...authorization, ...init.headers } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const reading = (name: string, path: () => Promise<string> | string): Neighbour => ({
    name,
    parallel: PARALLEL,
    act: async () => ask(await path(), { key: keys.viewer }),
  });
  const later = () => encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
  return [
    reading("a board as of a moment", () => `/api/v1/pipelines/${pipeline}/board?asOf=${later()}`),
    reading("an event of a large record", async () => `/api/v1/events/${encodeURIComponent(await event())}`),
    reading("a list of events", () => "/api/v1/events?limit=200"),
    reading("an export", () => "/api/v1/events/export?format=ndjson&period=1h"),
    {
      name: "an assistant's record as of a moment",
      parallel: PARALLEL,
      act: () =>
        ask("/api/v1/mcp", {
          key: keys.viewer,
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: stateAsOf(pipeline) }),
        }),
    },
    {
      name: "a preview of a costly filter",
      parallel: PARALLEL,
      act: () =>
        ask("/api/v1/destinations/preview", {
          key: keys.manager,
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ filter: COSTLY_FILTER }),
        }),
    },
    { name: "unsigned requests", parallel: 256, act: () => ask(`/webhooks/${source}`, { method: "POST", body: "{}" }) },
    { name: "strangers' sign-ins", parallel: 64, act: () => signIn(at) },
    {
      name: "sockets that ask for an upgrade",
      parallel: 200,
      act: async () => {
        const { socket, ended } = openWire(port);
        await sleep(1000);
        socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
        return Number((await ended).slice(9, 12));
      },
    },
  ];
}

/** The form's two requests, with a password that is nobody's. */
async function signIn(at: string): Promise<number> {
  const csrf = await fetch(`${at}/api/auth/csrf`);
  const answered = await csrf.text();
  if (csrf.status !== 200) return csrf.status;
  const { csrfToken } = JSON.parse(answered) as { csrfToken: string };
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const email = `stranger-${Math.floor(Math.random() * 1e9)}@example.com`;
  const body = new URLSearchParams({ csrfToken, email, password: "a guess", json: "true", callbackUrl: "/" });
  const answer = await fetch(`${at}/api/auth/callback/credentials`, { method: "POST", headers: { cookie, origin: at }, body });
  await answer.arrayBuffer();
  return answer.status;
}

/** Lets a neighbour act in its loops until it is stopped. @returns how often it was answered, by status; 0 where it was not */
export function letAct({ parallel, act }: Neighbour): () => Promise<Record<number, number>> {
  let goesOn = true;
  const answers: Record<number, number> = {};
  const loops = Array.from({ length: parallel }, async () => {
    while (goesOn) {
      const status = await act().catch(() => 0);
      answers[status] = (answers[status] ?? 0) + 1;
      if (status === 0) await sleep(100);
    }
  });
  return async () => {
    goesOn = false;
    await Promise.all(loops);
    return answers;
  };
}
