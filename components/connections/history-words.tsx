import type { State } from "#components/ui/state-icon";

const WORDS: Record<string, readonly [State, string]> = {
  connected: ["fine", "Connected"],
  refreshed: ["fine", "Access renewed"],
  refresh_delayed: ["attention", "Renewal put off"],
  expiry_near: ["attention", "Access runs out soon"],
  lost: ["failed", "Access ended"],
  connect_failed: ["failed", "Connecting failed"],
  disconnected: ["neutral", "Disconnected"],
};

/** An entry of a grant's life in words; a kind that we don't know keeps its own. */
export const historyWords = (kind: string): readonly [State, string] => WORDS[kind] ?? ["neutral", kind.replaceAll("_", " ")];
