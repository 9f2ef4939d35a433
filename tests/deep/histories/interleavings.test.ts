import { beforeEach, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { figure } from "#tests/support/figure";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { useStatements } from "#tests/support/statements";
import { ALERT_STEPS, AlertWorld } from "./alert-histories.ts";
import { FORWARDING_STEPS, ForwardingWorld } from "./forwarding-histories.ts";
import { MISSING_EVENT_STEPS, MissingEventWorld } from "./missing-event-histories.ts";
import { type Step, tryHistories } from "./steps.ts";
import { TOKEN_STEPS, TokenWorld } from "./token-histories.ts";

const { platform } = useHostilePlatform();
useStatements();
beforeEach(() => void resetEnv({ FORWARD_ALLOW: "127.0.0.1/32", PLATFORM_REVOKES: "grant" }));

/** `npm run model` tries 1,000 of each, of a new seed each time; the quick suite tries the same few, so that it fails by a change alone. */
const RUNS = Number(process.env.MODEL_RUNS ?? (process.env.npm_lifecycle_event === "model" ? 1000 : 4));
const SEED = Number(process.env.MODEL_SEED ?? (process.env.npm_lifecycle_event === "model" ? Date.now() % 1_000_000_000 : 7));

type World = { settle: () => Promise<void> };

function holds<W extends World>(what: string, make: () => Promise<W>, steps: Step<W>[]): void {
  it(`${what}: true after ${RUNS} random histories with pauses and lost answers (seed ${SEED})`, async () => {
    await tryHistories(make, steps, RUNS, SEED);
    figure(`${RUNS} random histories of ${what}, seed ${SEED}`);
  }, 3_600_000);
}

holds("alerts", () => AlertWorld.make(), ALERT_STEPS);
holds("missing events", () => MissingEventWorld.make(), MISSING_EVENT_STEPS);
holds("tokens", () => TokenWorld.make(platform), TOKEN_STEPS);
holds("forwarding", () => ForwardingWorld.make(), FORWARDING_STEPS);
