import * as z from "zod/mini";

export const mcpQuery = z.object({ write: z.optional(z.literal("allowed")) });

export const mcpMessage = z.looseObject({ jsonrpc: z.literal("2.0") });
export type McpMessage = z.infer<typeof mcpMessage>;
