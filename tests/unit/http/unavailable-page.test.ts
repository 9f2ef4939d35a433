import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { closePools, pool } from "#lib/db/pool";
import { sayWhenUnavailable } from "#lib/processes/server/request";

/** Answers as Next does: 500 for whatever a page threw, with an explicit head or without. */
const server = createServer(async (request, response) => {
  sayWhenUnavailable(response);
  const failure = request.url?.includes("database")
    ? await pool()
        .query("SELECT 1")
        .catch((error: Error) => error)
    : new Error("a bug");
  expect(failure).toBeInstanceOf(Error);
  response.statusCode = request.url?.includes("handled") ? 200 : 500;
  if (request.url?.includes("head")) response.writeHead(response.statusCode, { "content-type": "text/html" });
  response.end("the page");
});

let url = "";
beforeAll(async () => {
  resetEnv({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing" }); // refused
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await closePools();
});

test.each(["/database", "/database-head"])("a page that fails for want of the database is a 503 with Retry-After: %s", async (path) => {
  const answer = await fetch(url + path);
  expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([503, "5", "the page"]);
});

test.each([
  ["/bug", 500],
  ["/handled-database", 200],
])("%s keeps its status %i", async (path, status) => {
  const answer = await fetch(url + path);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, null]);
});
