import { REFRESH_ROUND_MS } from "#lib/flows/connections/refresh-connection";
import { storeLeft } from "#lib/flows/connections/tokens";
import { PRESENCE_MS, receiverPresence } from "#lib/flows/outages/outages";
import { every, type LoopRun } from "./loop.ts";

/** Web processes exchange and renew tokens: where one has its own DATA_DIR, no worker finds the tokens that it could not store. */
export const WEB_LOOPS: { name: string; run: LoopRun }[] = [
  { name: "store-tokens", run: every(REFRESH_ROUND_MS, () => storeLeft()) },
  { name: "note-presence", run: every(PRESENCE_MS, () => receiverPresence().beat()) },
];
