import { createServer, type IncomingHttpHeaders } from "node:http";
import { ownPort } from "./own-port.ts";

/** A webhook as a local app got it. */
type Got = { id: string; body: Buffer; headers: IncomingHttpHeaders; path: string };
type Answer = { status?: number; body?: string; type?: string };

/** A developer's app: it remembers every webhook. */
export type LocalApp = {
  url: string;
  port: number;
  got: Got[];
  /** Number of webhooks received. */
  total: () => number;
  /** Number of times each event was received. */
  counts: () => Map<string, number>;
  /** Resolves when so many different events have come. */
  has: (different: number) => Promise<void>;
  close: () => Promise<void>;
};

type Options = {
  answer?: (got: Got) => Answer;
  /** 0 for any; the same again is a restart. */
  port?: number;
  /** False: webhooks are counted alone. */
  remember?: boolean;
};

/** Starts a local app. */
export async function openLocalApp({ answer = () => ({}), port = ownPort(), remember = true }: Options = {}): Promise<LocalApp> {
  const got: Got[] = [];
  let total = 0;
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const one = { id: (JSON.parse(body.toString()) as { id: string }).id, body, headers: request.headers, path: request.url ?? "" };
    total++;
    if (remember) got.push(one);
    const { status = 200, body: text = '{"ok":true}', type = "application/json" } = answer(one);
    response.writeHead(status, { "content-type": type }).end(text);
    for (const look of watchers) look();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const counts = () => {
    const times = new Map<string, number>();
    for (const { id } of got) times.set(id, (times.get(id) ?? 0) + 1);
    return times;
  };
  const has = (different: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (counts().size < different) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}/hooks`, port, got, total: () => total, counts, has, close };
}
