import { hmac, type Template } from "../schemes/senders/template.ts";

export const discord: Template = {
  title: "Discord webhook events",
  scheme: hmac(
    {
      header: "x-signature-ed25519",
      method: "ed25519",
      encoding: "hex",
      content: "{timestamp}{body}",
      timestampHeader: "x-signature-timestamp",
      timestampForm: "seconds",
    },
    { idIsSigned: true },
  ),
  challenges: [
    { asked: "signed", when: [{ place: "type", equals: "0" }], answer: { status: 204 } },
    // The ping of interactions; an event of type 1 has no token.
    { asked: "signed", when: [{ place: "type", equals: "1" }, { place: "token" }], answer: { json: { type: 1 } } },
  ],
  reading: {
    type: ["event.type", "text:interaction"],
    created: ["event.timestamp"],
    about: ["{event.data.user.username} in {event.data.guild.name}", "{event.data.user.username}"],
  },
  records: "none",
  issuesSecret: true,
  secretHint: "Developer Portal > your app > General Information > Public key.",
  answerWithin: 3,
  docsUrl: "https://docs.discord.com/developers/events/webhook-events",
  proof: "verifier",
  facts: ["discord-interactions (verifyKey)", "https://docs.discord.com/developers/events/webhook-events"],
  unchecked: ["interactions, which want an answer of their own: only their ping has it", "how long it waits for an answer"],
};
