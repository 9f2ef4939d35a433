import type { State } from "#components/ui/feedback/state-icon";

const LABELS: Record<string, readonly [State, string]> = {
  connected: ["fine", "Connected"],
  refreshed: ["fine", "Access renewed"],
  refresh_delayed: ["attention", "Renewal delayed"],
  expiry_near: ["attention", "Access expires soon"],
  lost: ["failed", "Access lost"],
  connect_failed: ["failed", "Connection failed"],
  account_changed: ["attention", "Connected to a different account"],
  key_lost: ["failed", "Tokens can't be decrypted"],
  key_found: ["fine", "Tokens can be decrypted again"],
  disconnected: ["neutral", "Disconnected, tokens deleted"],
  revoked: ["neutral", "Revoked on the platform"],
  not_revoked: ["attention", "Not revoked on the platform"],
  platform_refreshed: ["fine", "Platform renewed a token"],
  platform_error: ["attention", "Platform reported an error"],
  platform_disconnected: ["attention", "Platform reported that access was revoked"],
};

export const historyLabel = (kind: string): readonly [State, string] => LABELS[kind] ?? ["neutral", kind.replaceAll("_", " ")];
