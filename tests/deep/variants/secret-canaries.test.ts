import { test } from "vitest";
import { findCanaries } from "#tests/support/hostile/secret-canaries";
import { ALL } from "#tests/support/sample";

test("12 canary secrets through every error path stand in no log, no answer, no frame and no dump", { timeout: 1_800_000 }, () =>
  findCanaries(ALL),
);
