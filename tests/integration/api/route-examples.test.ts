import { expect, test } from "vitest";
import { isSchema } from "#lib/api/route-declaration";
import { useDatabase } from "#tests/support/database";
import { makeExampleWorld } from "#tests/support/example-world";
import { callExample, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { takeSnapshot } from "#tests/support/world-snapshot";

// The platform is out of reach: an example that asks it is answered with what became of that.
useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", BACKUP_DIR: "no-worker-writes-here" });

const HOW = "See RouteDeclaration in lib/api/route-declaration.ts, and tests/support/example-world.ts for what examples may speak of.";

test("every route has a rule, schemas of its parameters and answers, and an example that works when it is called", {
  timeout: 120_000,
}, async () => {
  const faults: string[] = [];
  const endpoints = await listDeclared();
  const { cookie } = await makeExampleWorld();
  const restore = await takeSnapshot();
  for (const endpoint of endpoints) {
    const fault =
      parameterFault(endpoint) ?? (await answerFault(endpoint, await callExample(endpoint, { cookie, origin: "http://localhost:3000" })));
    if (fault) faults.push(`${endpoint.method} /${endpoint.route} ${fault}`);
    if (endpoint.method !== "GET") await restore();
  }
  expect(faults, HOW).toEqual([]);
});

/** A path with `[id]` declares `params`, and its example fills it. */
function parameterFault({ route, declaration }: DeclaredEndpoint): string | null {
  const named = [...route.matchAll(/\[(\w+)\]/g)].map(([, name]) => name ?? "");
  if (named.length > 0 && !declaration.params) return "has a parameter in its path but declares no `params`.";
  const missing = named.filter((name) => declaration.example.params?.[name] === undefined);
  return missing.length > 0 ? `gives no example of ${missing.join(", ")}.` : null;
}

async function answerFault({ declaration }: DeclaredEndpoint, response: Response): Promise<string | null> {
  const answer = declaration.answers[response.status as 200];
  if (answer === undefined) return `answers its example with ${response.status}, which it does not declare: ${await response.text()}`;
  if (answer === null) return (await response.text()) === "" ? null : "answers with a body, but declares none.";
  if (!isSchema(answer)) {
    await response.body?.cancel();
    return response.headers.get("content-type")?.startsWith(answer.mediaType) ? null : `does not answer ${answer.mediaType}.`;
  }
  const parsed = answer.safeParse(await response.json());
  return parsed.success ? null : `answers what its schema refuses: ${parsed.error.message}`;
}
