import * as z from "zod/mini";

/** `POST /api/v1/mcp?write=allowed`: with the tools that change something. */
export const mcpQuery = z.object({ write: z.optional(z.literal("allowed")) });

/** A message of JSON-RPC 2.0; what it may say, the Model Context Protocol decides. */
export const mcpMessage = z.looseObject({ jsonrpc: z.literal("2.0") });
export type McpMessage = z.infer<typeof mcpMessage>;
