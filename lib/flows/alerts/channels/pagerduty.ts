import { pagerDutyEvent } from "#lib/alerts/message/events";
import type { Delivered } from "../sending/delivered.ts";
import { postJson } from "../sending/post-json.ts";
import type { ChannelType, Outgoing } from "./channel-type.ts";
import { checkedUrl } from "./checked-url.ts";

const USUAL_URL = "https://events.pagerduty.com/v2/enqueue";

/** Events API v2: each alert is an incident of its own. */
export const PAGERDUTY: ChannelType<"pagerduty"> = {
  fields: ["url", "routingKey"],
  oneRequestEach: true,
  makesSecret: false,
  boundSecret: { field: "routingKey", label: "integration key" },
  readAddress: async ({ url, routingKey }) => ({ recipients: [], target: await checkedUrl(url ?? USUAL_URL), secret: routingKey }),
  changedAddress: async (target, { url, routingKey }) =>
    url === undefined && routingKey === undefined
      ? null
      : { recipients: [], target: url === undefined ? target : await checkedUrl(url), secret: routingKey ?? null },
  deliver,
};

async function deliver({ target, secret, message, now, giveUp }: Outgoing): Promise<Delivered> {
  let last: Delivered = { arrived: true, detail: "Nothing to send", retryAfterMs: null };
  for (const line of message.lines) {
    const post = (action?: "resolve") =>
      postJson(target, Buffer.from(JSON.stringify(pagerDutyEvent(secret, message, line, action))), now, giveUp, secret);
    last = await post();
    // A test leaves no incident behind.
    if (last.arrived && line.subject === "test") last = await post("resolve");
    if (!last.arrived) break;
  }
  return last;
}
