import { expect, test } from "vitest";
import { findOffences } from "../../../tools/house-rules.ts";

const lines = (count: number) => "x\n".repeat(count);

test("a file may have 300 lines and a route handler 40", () => {
  expect(findOffences([{ name: "lib/flows/long.ts", text: lines(300) }])).toEqual([]);
  expect(findOffences([{ name: "lib/flows/long.ts", text: lines(301) }])[0]).toContain("301 lines");
  expect(findOffences([{ name: "app/api/v1/events/route.ts", text: lines(41) }])[0]).toContain("41 lines");
});

test("the environment is read in lib/config alone", () => {
  const text = "const port = process.env.PORT;";
  expect(findOffences([{ name: "app/api/v1/events/route.ts", text }])[0]).toContain("process.env");
  expect(findOffences([{ name: "lib/flows/connect.ts", text }])).toHaveLength(1);
  expect(findOffences([{ name: "lib/config/env.ts", text }])).toEqual([]);
  expect(findOffences([{ name: "lib/flows/connect.ts", text: " * never process.env" }])).toEqual([]);
});

test("SQL is sent by stores alone", () => {
  for (const text of ['await client.query("SELECT 1")', "pool().query<Row>(`SELECT`)", "prisma().$queryRaw`SELECT`"]) {
    expect(findOffences([{ name: "lib/flows/connect.ts", text }])[0]).toContain("store");
    expect(findOffences([{ name: "lib/connections/connection-store.ts", text }])).toEqual([]);
  }
});
