import type { IncomingMessage, ServerResponse } from "node:http";
import { sessionIdOf } from "#lib/auth/credentials";
import { FairTurns, NoTurn } from "#lib/context/fair-turns";
import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { hashToken } from "#lib/vault/opaque-token";
import { answerProblem, clientIp } from "./request.ts";

/** A page is tens of milliseconds of work between webhooks. Sessions take turns; requests without one share their address's. */
const PAGES = { atOnce: 6, atOncePerKey: 3, waitingPerKey: 100, waiting: 1000, waitMs: 10_000, rest: { share: 1, fromWaiting: 4 } };
const RETRY_AFTER_SECONDS = 5;

/** Whatever sessions they name: those are not checked yet. */
const WAITING_PER_ADDRESS = 100;

const shared = () => once("page-turns", () => ({ turns: new FairTurns(PAGES), waiting: new Map<string, number>() }));

/** Bounded elsewhere, files, monitoring, and the sandbox, which a page calls during its turn: it would wait for its own end. */
const OTHERS =
  /^\/(?:api\/v1\/|_next\/static\/|health\/|metrics(?:$|\?)|sandbox\/(?:api|oauth\/(?:token|revoke)|receiving-app)(?:$|[/?])|(?:apple-touch-icon|favicon|icon[a-z\d-]*|robots|site)\.(?:png|ico|svg|txt|webmanifest)(?:$|\?))/;

/** Handles a page in its turn, which ends when the response begins: a slow reader holds up no other page. */
export async function inPageTurn(request: IncomingMessage, response: ServerResponse, handle: () => Promise<void>): Promise<void> {
  if (OTHERS.test(request.url ?? "/")) return handle();
  let end: () => void;
  try {
    end = await begin(request);
  } catch (error) {
    if (error instanceof NoTurn)
      return answerProblem(request, response, tooMany(), { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
    throw error;
  }
  response.once("close", end);
  const writeHead = response.writeHead.bind(response) as (...all: unknown[]) => ServerResponse;
  response.writeHead = ((...all: unknown[]) => {
    end();
    return writeHead(...all);
  }) as typeof response.writeHead;
  if (response.destroyed) return end(); // the client has left meanwhile
  return handle();
}

const tooMany = () =>
  new AppError("too_many_requests", `Too many of your pages are loading at once. Try again in ${RETRY_AFTER_SECONDS} seconds.`);

async function begin(request: IncomingMessage): Promise<() => void> {
  const address = clientIp(request) ?? "unknown";
  const { turns, waiting } = shared();
  const before = waiting.get(address) ?? 0;
  if (before >= WAITING_PER_ADDRESS) throw new NoTurn("too many of the address wait");
  waiting.set(address, before + 1);
  try {
    return await turns.begin(keyOf(request, address));
  } finally {
    const left = (waiting.get(address) ?? 1) - 1;
    if (left === 0) waiting.delete(address);
    else waiting.set(address, left);
  }
}

function keyOf(request: IncomingMessage, address: string): string {
  const session = sessionIdOf(new Headers({ cookie: request.headers.cookie ?? "" }));
  return session === null ? address : hashToken(session);
}
