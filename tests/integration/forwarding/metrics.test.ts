import { expect, test } from "vitest";
import { readCompleteMetrics } from "#tests/support/complete-metrics";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination, receive } from "#tests/support/forwarding/destinations";
import { startSenders, untilStates, useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target } = useTargets();

test("each destination has its attempts, its latency as a histogram, its depth and its breaker's state", async () => {
  const { workspaceId, source } = await makeWorkspace();
  let answers = 0;
  const { url } = await target((_one, _request, response) => {
    if (answers++ === 0) response.writeHead(500, { "retry-after": "3600" });
    setTimeout(() => response.end(), 30);
  });
  const { id } = await makeDestination(workspaceId, { url, concurrency: 1 });
  open.push(startSenders());
  for (let n = 0; n < 3; n += 1) await receive(source);
  await applyAll();
  await untilStates(id, { delivered: 2, pending: 1 });
  const text = await readCompleteMetrics();
  const value = (name: string, labels: string) => {
    const line = text.split("\n").find((each) => each.startsWith(`signalbox_forward_${name}{${labels}}`));
    return line === undefined ? null : Number(line.split(" ").at(-1));
  };
  const of = `destination="${id}"`;
  expect(value("attempts_total", `${of},outcome="delivered"`)).toBe(2);
  expect(value("attempts_total", `${of},outcome="failed"`)).toBe(1);
  expect(value("latency_seconds_count", of)).toBe(2);
  expect(value("latency_seconds_bucket", `${of},le="0.025"`)).toBe(0);
  expect(value("latency_seconds_bucket", `${of},le="15"`)).toBe(2);
  expect(value("latency_seconds_bucket", `${of},le="+Inf"`)).toBe(2);
  expect(value("latency_seconds_sum", of)).toBeGreaterThanOrEqual(0.06);
  expect(value("depth", of)).toBe(1);
  expect(value("breaker_state", of)).toBe(0);
  expect(text).toContain("# TYPE signalbox_forward_latency_seconds histogram");
});
