import { expect, test, vi } from "vitest";
import { Connection } from "#lib/client/connection";

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
  });
  return { state, connection };
}

const refuse = () => Promise.reject(new TypeError("Failed to fetch"));
const answered = async () => new Response(null, { status: 200 });

test("a page is kept only while Signalbox can't be reached, the last one that was chosen, and told once it can", async () => {
  const { state, connection } = server();
  expect(connection.hold("/tasks")).toBe(false);
  state.answer = refuse;
  const heard: unknown[] = [];
  const end = connection.onChange(() => heard.push(connection.lost()));
  const looking = connection.look();
  await expect.poll(() => connection.lost()).toEqual({ next: null });
  expect(connection.hold("/tasks")).toBe(true);
  expect(connection.hold("/documents?q=a")).toBe(true);
  state.answer = answered;
  await looking;
  expect(heard).toEqual([{ next: null }, { next: "/tasks" }, { next: "/documents?q=a" }, null]);
  end();
  expect(connection.hold("/tasks")).toBe(false);
});

test("a look finds nothing lost when Signalbox answers, and one look goes on at a time", async () => {
  const { state, connection } = server();
  await Promise.all([connection.look(), connection.look()]);
  expect(state.asked).toBe(1);
  expect(connection.lost()).toBe(null);
});

test("an error of a proxy before a server that is away counts as no connection", async () => {
  const { state, connection } = server();
  state.answer = async () => new Response(null, { status: 502 });
  const looking = connection.look();
  await expect.poll(() => connection.lost()).toEqual({ next: null });
  state.answer = answered;
  await looking;
  expect(connection.lost()).toBe(null);
});

test("an answer that takes long is waited for: a slow server is there", async () => {
  const { state, connection } = server();
  let answer: (response: Response) => void = () => undefined;
  state.answer = () => new Promise((resolve) => (answer = resolve));
  const looking = connection.look();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(connection.lost()).toBe(null);
  answer(new Response(null, { status: 200 }));
  await looking;
});

test("an answer that left before the network was gone does not end the looks", async () => {
  const { state, connection } = server();
  state.offline = true;
  state.answer = () => {
    state.answer = refuse;
    return answered();
  };
  const looking = connection.look();
  await expect.poll(() => connection.lost()).toEqual({ next: null });
  state.answer = answered;
  await expect.poll(() => connection.lost()).toBe(null);
  state.offline = false;
  await looking;
});

test("a browser that is offline before it is watched is looked at at once, and later at its word", async () => {
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  const { state, connection } = server();
  connection.watchNetwork();
  expect(state.asked).toBe(0);
  state.offline = true;
  const end = connection.watchNetwork();
  expect(state.asked).toBe(1);
  end();
  expect(vi.mocked(removeEventListener).mock.lastCall).toEqual(vi.mocked(addEventListener).mock.lastCall);
  state.offline = false;
  vi.unstubAllGlobals();
});
