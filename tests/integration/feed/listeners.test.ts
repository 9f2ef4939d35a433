import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { deleteGoneListeners, deleteListener, listListeners, markListenerSeen, newListener } from "#lib/listeners/listener-store";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

it("a listener that was unseen for a minute is forgotten, and is in the list again as it was when it is seen", async () => {
  const { workspaceId } = await makeWorkspace();
  const listener = newListener({ name: "laptop", url: "http://localhost:4000", types: [], source: null, openedBy: "Ada" });
  await markListenerSeen(workspaceId, listener);
  const [before] = await listListeners(workspaceId);
  await pool().query("UPDATE listeners SET seen_at = seen_at - interval '61 seconds'");
  expect(await listListeners(workspaceId)).toEqual([]);
  expect(await deleteGoneListeners()).toBe(1);
  await markListenerSeen(workspaceId, listener);
  expect(await listListeners(workspaceId)).toEqual([before]);
  expect(before).toMatchObject({ name: "laptop", openedBy: "Ada" });
  await deleteListener(workspaceId, listener.id);
  expect(await listListeners(workspaceId)).toEqual([]);
});
