import { request } from "undici";
import { countFailingChannels } from "#lib/alerts/channel-store";
import { countOpenEpisodes } from "#lib/alerts/episode-store";
import { claimHeartbeat } from "#lib/alerts/watch-store";
import { env } from "#lib/config/env";
import type { AlertRuleKind } from "#lib/contracts/alerts/rules";
import { logger } from "#lib/observability/logger";

const TIMEOUT_MS = 10_000;

/** Alerts about the installation itself: a problem that one workspace has to fix does not silence the heartbeat. */
const OF_INSTALLATION: AlertRuleKind[] = ["processing_lag", "no_worker", "vault_key", "backup_late", "backup_proof"];

/** `silent`: something is wrong, so nothing is sent. */
export type Heartbeat = "not_due" | "silent" | "sent" | "failed";

/** Calls HEARTBEAT_URL once a minute in the whole installation, unless an installation alert is open or a channel fails. */
export async function sendHeartbeat(): Promise<Heartbeat> {
  const { HEARTBEAT_URL } = env();
  if (!HEARTBEAT_URL || !(await claimHeartbeat())) return "not_due";
  if ((await countOpenEpisodes(OF_INSTALLATION)) > 0 || (await countFailingChannels()) > 0) return "silent";
  try {
    const { statusCode, body } = await request(HEARTBEAT_URL, { headersTimeout: TIMEOUT_MS, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await body.dump();
    if (statusCode < 300) return "sent";
    logger().warn({ status: statusCode }, "HEARTBEAT_URL answered with an error");
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "HEARTBEAT_URL can't be reached");
  }
  return "failed";
}
