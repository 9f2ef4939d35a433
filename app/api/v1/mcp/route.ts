import { defineRoute } from "#lib/api/define-route";
import { answerAssistant, mcpMessage, mcpQuery } from "../answer-assistant.ts";

/** Model Context Protocol, streamable HTTP, stateless. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "assistants.use",
  cost: "routed",
  summary: "Model Context Protocol",
  description:
    "For assistants. Its tools call this API with your key's own role; those that change something require `?write=allowed`. Clients of the 2026-07-28 protocol receive JSON.",
  query: mcpQuery,
  body: mcpMessage,
  answers: { 200: { mediaType: "text/event-stream" }, 202: null },
  example: { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
  // A change made by a tool is recorded by the route that the tool calls.
  changes: "nothing",
  handle: ({ request, body, query }) => answerAssistant(request, body, query.write === "allowed"),
});
