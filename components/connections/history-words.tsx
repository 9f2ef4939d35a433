import type { State } from "#components/ui/state-icon";

const WORDS: Record<string, readonly [State, string]> = {
  connected: ["fine", "Connected"],
  refreshed: ["fine", "Access renewed"],
  refresh_delayed: ["attention", "Renewal put off"],
  expiry_near: ["attention", "Access runs out soon"],
  lost: ["failed", "Access ended"],
  connect_failed: ["failed", "Connecting failed"],
  account_changed: ["attention", "Another account came back"],
  key_lost: ["failed", "Tokens can’t be opened"],
  key_found: ["fine", "Tokens open again"],
  disconnected: ["neutral", "Disconnected, tokens erased here"],
  revoked: ["neutral", "Taken back at the platform"],
  not_revoked: ["attention", "Not taken back at the platform"],
  platform_refreshed: ["fine", "The platform renewed a token"],
  platform_error: ["attention", "The platform reports an error"],
  platform_disconnected: ["attention", "The platform says that the access was taken back"],
};

/** An entry of a grant's life in words; a kind that we don't know keeps its own. */
export const historyWords = (kind: string): readonly [State, string] => WORDS[kind] ?? ["neutral", kind.replaceAll("_", " ")];
