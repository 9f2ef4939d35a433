import { defineRoute } from "#lib/api/define-route";
import { alertChannelList, createAlertChannelBody, createdAlertChannel } from "#lib/contracts/alerts";
import { createAlertChannel } from "#lib/flows/alerts/manage-channels";
import { readAlertChannels, shownChannel } from "#lib/flows/alerts/read-alerts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "alerts.read",
  summary: "List alert channels",
  answers: { 200: alertChannelList },
  example: {},
  handle: async ({ actor }) => {
    const { data, ...list } = await readAlertChannels(actor.workspaceId);
    return { ...list, data: data.map((each) => shownChannel(actor, each)) };
  },
}).and("POST", {
  operation: "alerts.manage",
  summary: "Create an alert channel",
  description:
    "A chat's URL and a routing key are stored encrypted and never shown again. A webhook's signing secret is shown once, in this response.",
  body: createAlertChannelBody,
  answers: { 201: createdAlertChannel },
  example: { body: { kind: "email", name: "On call", recipients: ["ops@example.com"] } },
  handle: ({ context, body }) => createAlertChannel(context, body),
});
