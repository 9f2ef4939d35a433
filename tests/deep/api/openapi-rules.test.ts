import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { beforeAll, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { TEST_ENV } from "#tests/support/environment";
import { callRoute } from "#tests/support/routes";

// The OpenAPI document by the default rules of the two linters that people run on it. Warnings count too.

let source: string;
beforeAll(async () => {
  resetEnv({ ...TEST_ENV, APP_URL: "https://signalbox.acme.com" });
  source = await (await callRoute("GET", "api/v1/openapi.json", {})).text();
});

it("Spectral's rules for OpenAPI find nothing", async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset(spectralRulesets.oas as Parameters<typeof spectral.setRuleset>[0]);
  const found = await spectral.run(JSON.parse(source));
  expect(found.map(({ code, path, message }) => `${code} ${path.join(".")} ${message}`)).toEqual([]);
});

/** `/events/exports/{id}` beside `/events/{id}/redeliver`: no ID of an event is `exports`, and fixed parts win (OpenAPI 3.1, Paths Object). */
const AMBIGUOUS = ["/api/v1/events/{id}/redeliver", "/api/v1/views/{kind}/count"];

it("Redocly's recommended rules find two pairs of paths that could be one, and nothing else", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const paths = found.filter(({ ruleId }) => ruleId === "no-ambiguous-paths");
  expect(paths.map(({ location: [at] }) => at?.pointer?.slice("#/paths/".length).replaceAll("~1", "/"))).toEqual(AMBIGUOUS);
  const others = found.filter((problem) => !paths.includes(problem));
  expect(others.map(({ ruleId, location: [at], message }) => `${ruleId} ${at?.pointer} ${message}`)).toEqual([]);
});
