import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { problemResponse } from "#lib/http/problem";
import { CommitHealth } from "#lib/ingest/receiver-log";
import { captureLog } from "#tests/support/captured-log";

const coded = (code: string, message = "words of the server") => Object.assign(new Error(message), { code });
const wrapped = (cause: unknown) => new Error("words of a library", { cause });
const database = (code: string) => Object.assign(new pg.DatabaseError("words of the server", 1, "error"), { code });
const prisma = (code: string, meta?: object) =>
  Object.assign(coded(code), { name: "PrismaClientKnownRequestError", ...(meta && { meta }) });
const adapter = (cause: object) =>
  Object.assign(new Error(String((cause as { kind: string }).kind)), { name: "DriverAdapterError", cause });

const SQLSTATES = ["08000", "08001", "08003", "08006", "53000", "53100", "53200", "53300", "57000", "57014", "57P01", "57P02", "57P03"];
const SYSTEM = ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
const DRIVER = [
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Cannot use a pool after calling end on the pool",
  "cannot access temporary or unlogged relations during recovery",
];
const PRISMA = ["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"];
const KINDS = ["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"];

const UNAVAILABLE: [string, unknown][] = [
  ...[...SQLSTATES, "25006"].map((code): [string, unknown] => [`SQLSTATE ${code}`, database(code)]),
  ...SYSTEM.map((code): [string, unknown] => [code, coded(code)]),
  ...DRIVER.map((message): [string, unknown] => [message, new Error(message)]),
  ...PRISMA.map((code): [string, unknown] => [`Prisma ${code}`, prisma(code)]),
  ...KINDS.map((kind): [string, unknown] => [`adapter ${kind}`, adapter({ kind })]),
  ["a raw query's SQLSTATE in Prisma's adapter", prisma("P2010", { driverAdapterError: adapter({ kind: "postgres", code: "57014" }) })],
  ["Prisma before it was connected", Object.assign(new Error("words"), { errorCode: "P1001" })],
  ["the cause of another error", wrapped(wrapped(database("57P01")))],
  ["one of several addresses tried", Object.assign(new AggregateError([coded("ECONNREFUSED")]), { code: undefined })],
];

test.each(UNAVAILABLE)("%s is answered with 503 and Retry-After", async (_name, error) => {
  const answer = problemResponse(error);
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ code: "unavailable", detail: "The database does not respond. Try again in a few seconds." });
});

test.each([
  ["with its code", database("57014"), "57014: words of the server"],
  ["without one", new Error("timeout exceeded when trying to connect"), "timeout exceeded when trying to connect"],
])("the log has what the driver said, %s", (_name, error, cause) => {
  const log = captureLog();
  onTestFinished(log.stop);
  problemResponse(error);
  expect(JSON.parse(log.text())).toMatchObject({ msg: "answered with an error", problemCode: "unavailable", cause });
});

test.each([
  ["a unique violation", database("23505")],
  ["a syntax error", database("42601")],
  ["no such table", database("42P01")],
  ["Prisma's unique violation", prisma("P2002")],
  ["a bug", new TypeError("undefined is not a function")],
  ["no error at all", "words"],
  [
    "an error that causes itself",
    Object.assign(new Error("words"), {
      get cause() {
        return this;
      },
    }),
  ],
])("%s stays a 500", (_name, error) => {
  expect(problemResponse(error).status).toBe(500);
});

test.each([
  [database("53100"), /disk is full/],
  [database("25006"), /read-only/],
  [database("53300"), /no database connection/],
  [new Error("timeout exceeded when trying to connect"), /no database connection/],
  [database("57014"), /too slow/],
  [new Error("Query read timeout"), /too slow/],
  [coded("ETIMEDOUT"), /does not respond/],
  [wrapped(database("53100")), /disk is full/],
])("the receiver's health says why it can't store: %s", (error, words) => {
  const health = new CommitHealth({ elapsed: () => 0 });
  health.noteNotCommitted(error);
  expect(health.state()).toMatchObject({ ok: false, why: expect.stringMatching(words) });
  health.noteCommitted();
  expect(health.state()).toEqual({ ok: true });
});
