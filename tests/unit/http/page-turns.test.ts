import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { inPageTurn } from "#lib/processes/server/page-turns";

vi.mock("#lib/processes/server/request", async (original) => ({
  ...(await original<typeof import("#lib/processes/server/request")>()),
  answerProblem: (_: unknown, response: { turnedAway: boolean }) => {
    response.turnedAway = true;
  },
}));

const responses: EventEmitter[] = [];

/** Everybody leaves: those who wait are then given a turn and end it. */
afterEach(async () => {
  for (const response of responses.splice(0)) {
    Object.assign(response, { destroyed: true });
    response.emit("close");
    await new Promise((resolve) => setImmediate(resolve));
  }
});

/** A request whose page is never finished. */
function ask(url: string, cookie?: string, remoteAddress = "192.0.2.1") {
  const request = { url, headers: { cookie }, headersDistinct: {}, socket: { remoteAddress } };
  const response = Object.assign(new EventEmitter(), { writeHead: () => {}, destroyed: false, turnedAway: false, begun: false });
  responses.push(response);
  void inPageTurn(request as unknown as IncomingMessage, response as unknown as ServerResponse, () => {
    response.begun = true;
    return new Promise(() => {});
  });
  return response;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const session = (n: number) => `signalbox.session=${String(n).padStart(43, "s")}`;

test.each(["/sandbox/oauth/token", "/sandbox/oauth/revoke", "/sandbox/api/traffic?speed=1", "/sandbox/receiving-app/dst_1"])(
  "%s, which pages and programs ask for, waits for no page",
  async (url) => {
    for (let n = 0; n < 6; n += 1) ask("/callback?code=x", session(n));
    const [page, call] = [ask("/events", session(7)), ask(url)];
    await settled();
    expect([page.begun, call.begun]).toEqual([false, true]);
  },
);

test.each(["/a.b", "/_next/image?url=x", "/favicon.png.php"])("%s, which is no file of ours, waits like a page", async (url) => {
  for (let n = 0; n < 6; n += 1) ask("/callback?code=x", session(n));
  const [file, other] = [ask("/icon-192.png"), ask(url)];
  await settled();
  expect([file.begun, other.begun]).toEqual([true, false]);
});

test.each([
  ["are no session's", (n: number) => `signalbox.session=made-up-${n}`],
  ["could be a session's", session],
])("an address that makes up cookies which %s leaves others their turns", async (_, cookie) => {
  const flood = Array.from({ length: 1200 }, (_each, n) => ask("/events", cookie(n)));
  await settled();
  const other = ask("/events", undefined, "192.0.2.2");
  await settled();
  expect(other.turnedAway).toBe(false);
  expect(flood.filter((each) => !each.turnedAway).length).toBeLessThanOrEqual(106);
});
