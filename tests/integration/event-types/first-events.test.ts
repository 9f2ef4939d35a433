import { afterEach, expect, it } from "vitest";
import { readEvent } from "#lib/flows/events/read-event";
import { useDatabase } from "#tests/support/database";
import { newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
afterEach(newWorker);

const status = (n: number) => ({ status: ["completed", "failed"][n % 2], pages: n % 9 });

it("an event says what it was the first to have", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const type = new TypeOfSource({ workspaceId, sourceId });
  await type.learn(120, status);
  const [id = ""] = await type.learn(2, (n) => ({ ...status(n), risk: { level: "high" } }));
  expect((await readEvent(workspaceId, id))?.firstWith).toEqual(["data.risk"]);
  const [later = ""] = await type.learn(1, (n) => ({ ...status(n), risk: { level: "high" } }));
  expect((await readEvent(workspaceId, later))?.firstWith).toEqual([]);
});
