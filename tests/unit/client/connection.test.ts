import { expect, test, vi } from "vitest";
import { reachSentence, reachWord } from "#components/shell/live/connection";
import { Connection, isLost } from "#lib/client/connection";

/** A server that answers as it is told. */
function server() {
  const state = { answer: async (): Promise<Response> => new Response(null, { status: 200 }), asked: 0, offline: false };
  const connection = new Connection({
    ask: () => {
      state.asked++;
      return state.answer();
    },
    offline: () => state.offline,
    lookMs: 1,
    waitingMs: 20,
  });
  const lost = () => (isLost(connection.state()) ? { next: connection.state().next } : null);
  return { state, connection, lost };
}

const refuse = () => Promise.reject(new TypeError("Failed to fetch"));
const answered = async () => new Response(null, { status: 200 });

test("a page is kept only while Signalbox can't be reached, the last one that was chosen, and told once it can", async () => {
  const { state, connection, lost } = server();
  expect(connection.hold("/tasks")).toBe(false);
  state.answer = refuse;
  const heard: unknown[] = [];
  const end = connection.onChange(() => heard.push(lost()));
  const looking = connection.look();
  await expect.poll(() => lost()).toEqual({ next: null });
  expect(connection.hold("/tasks")).toBe(true);
  expect(connection.hold("/documents?q=a")).toBe(true);
  state.answer = answered;
  await looking;
  expect(heard).toEqual([{ next: null }, { next: "/tasks" }, { next: "/documents?q=a" }, null]);
  end();
  expect(connection.hold("/tasks")).toBe(false);
});

test("a look finds nothing lost when Signalbox answers, and one look goes on at a time", async () => {
  const { state, connection, lost } = server();
  await Promise.all([connection.look(), connection.look()]);
  expect(state.asked).toBe(1);
  expect(lost()).toBe(null);
});

test("an error of a proxy before a server that is away counts as no connection", async () => {
  const { state, connection, lost } = server();
  state.answer = async () => new Response(null, { status: 502 });
  const looking = connection.look();
  await expect.poll(() => lost()).toEqual({ next: null });
  state.answer = answered;
  await looking;
  expect(lost()).toBe(null);
});

test("an answer that takes long is waited for: a slow server is there", async () => {
  const { state, connection } = server();
  let answer: (response: Response) => void = () => undefined;
  state.answer = () => new Promise((resolve) => (answer = resolve));
  const looking = connection.look();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(connection.state()).toMatchObject({ is: "waiting", seen: null });
  expect(connection.hold("/tasks")).toBe(false);
  answer(new Response(null, { status: 200 }));
  await looking;
  expect(connection.state().is).toBe("reached");
});

test("a web process whose database or receiver fails is reached and not ready, with what it says of them, until they work", async () => {
  const { state, connection } = server();
  const readiness = (database: boolean, receiver: boolean, status = database && receiver ? 200 : 503) =>
    Response.json(
      { database: { ok: database, detail: "does not respond" }, receiver: { ok: receiver, detail: "can't store" } },
      { status },
    );
  state.answer = async () => readiness(false, false);
  const looking = connection.look();
  await expect
    .poll(() => connection.state())
    .toMatchObject({ is: "not_ready", seen: { database: { ok: false }, receiver: { ok: false } } });
  expect(connection.hold("/tasks")).toBe(false);
  expect(reachWord(connection.state())).toBe("Database not ready");
  expect(reachSentence(connection.state())).toBe("The database does not respond. The receiver can't store.");
  state.answer = async () => readiness(true, false);
  await expect.poll(() => reachWord(connection.state())).toBe("Receiver not ready");
  // A worker that is away is no reason: pages and receiver work.
  state.answer = async () => readiness(true, true, 503);
  await looking;
  expect(reachWord(connection.state())).toBe(null);
});

test("nothing is said of webhooks that was not seen", async () => {
  const { state, connection } = server();
  expect(reachSentence(connection.state())).toBe("Whether it receives webhooks is unknown.");
  state.answer = refuse;
  void connection.look();
  await expect.poll(() => connection.state().is).toBe("unreachable");
  expect(reachSentence(connection.state())).toBe("No connection to Signalbox. Whether it receives webhooks is unknown.");
  state.offline = true;
  await expect.poll(() => connection.state().is).toBe("offline");
  expect(reachSentence(connection.state())).toContain("Whether it receives webhooks is unknown.");
  state.offline = false;
  state.answer = answered;
  await expect.poll(() => connection.state().is).toBe("reached");
});

test("a request that fails, is answered 5xx or takes long is a sign to look, while somebody watches", async () => {
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const { state, connection } = server();
  const failing = (status: number) => status >= 500;
  await connection.watched(Promise.resolve(503), failing);
  expect(state.asked).toBe(0);
  const end = connection.watch();
  await connection.watched(Promise.resolve(404), failing);
  expect(state.asked).toBe(0);
  await connection.watched(Promise.resolve(503), failing);
  await expect(connection.watched(Promise.reject(new TypeError("Failed to fetch")), failing)).rejects.toThrow("Failed to fetch");
  await vi.advanceTimersByTimeAsync(0);
  expect(state.asked).toBe(1); // one look at a time
  const slow = connection.watched(new Promise((resolve) => setTimeout(() => resolve(200), 5000)), () => false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(state.asked).toBe(2);
  await vi.advanceTimersByTimeAsync(3000);
  await slow;
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an answer that left before the network was gone does not end the looks", async () => {
  const { state, connection, lost } = server();
  state.offline = true;
  state.answer = () => {
    state.answer = refuse;
    return answered();
  };
  const looking = connection.look();
  await expect.poll(() => lost()).toEqual({ next: null });
  state.answer = answered;
  await expect.poll(() => lost()).toBe(null);
  state.offline = false;
  await looking;
});

test("a browser that is offline before it is watched is looked at at once, and later at its word", async () => {
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  const { state, connection } = server();
  connection.watch()();
  expect(state.asked).toBe(0);
  state.offline = true;
  const end = connection.watch();
  expect(state.asked).toBe(1);
  end();
  expect(vi.mocked(removeEventListener).mock.lastCall).toEqual(vi.mocked(addEventListener).mock.lastCall);
  state.offline = false;
  vi.unstubAllGlobals();
});
