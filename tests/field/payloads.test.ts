import { expect, it } from "vitest";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";
import { previewFilter } from "#lib/flows/forwarding/test-destination";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination } from "#tests/support/forwarding/destinations";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { payloadFilter } from "../../packages/cli/src/listen.ts";

// Bodies as strangers send them, read alike by whoever looks into a payload.

useDatabase();
const { makeSender } = useSenders(useNodeReceiver());

const JSON_TEXT = JSON.stringify({ action: "opened", number: 7 });

// octokit/webhooks.js#158, getstackit/stackit#1328
it.each([
  ["JSON", JSON_TEXT],
  ["GitHub's default form", `payload=${encodeURIComponent(JSON_TEXT)}`],
  ["JSON behind a byte order mark", `\uFEFF${JSON_TEXT}`],
])("a filter on the fields of a payload takes %s: forwarded, in the preview and in listen", async (_, body) => {
  const { workspaceId, name, send } = await makeSender("github");
  const filter = { action: "opened", number: 7 };
  const { id } = await makeDestination(workspaceId, { url: "https://example.com/hooks", sources: [name], filter });
  await makeDestination(workspaceId, { url: "https://example.com/other", sources: [name], filter: { action: "closed" } });
  const headers = { "x-github-event": "pull_request", "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" };
  expect((await send(body, headers)).status).toBe(200);
  await applyAll();
  const { data } = await readDeliveries(workspaceId, {}, { limit: 10 });
  expect(data.map(({ destination }) => destination.id)).toEqual([id]);
  expect(await previewFilter(workspaceId, { types: [], sources: [], filter }, new Date())).toMatchObject({ matching: 1, of: 1 });
  const listened = { raw: body, rawBase64: null } as Parameters<ReturnType<typeof payloadFilter>>[0];
  expect([payloadFilter(JSON.stringify(filter))(listened), payloadFilter('{"action":"closed"}')(listened)]).toEqual([true, false]);
});
