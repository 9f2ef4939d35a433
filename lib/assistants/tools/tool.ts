import { z } from "zod";
import type { ApiAccess } from "#lib/assistants/api-access";
import type { ToolAnswer } from "#lib/assistants/untrusted";
import { shownName, unknownName } from "#lib/contracts/unknown-name";

/** Most unknown arguments that an answer names. */
const MAX_NAMES = 10;

export type Tool<I extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: I;
  writes: boolean;
  call: (api: ApiAccess, input: z.infer<I>) => Promise<ToolAnswer>;
};

export const defineTool = <I extends z.ZodObject>(tool: Tool<I>): Tool => tool as unknown as Tool;

/** Rejects unknown arguments with the nearest known name. */
export const argumentsOf = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return;
      const names = (issue.keys as string[]).slice(0, MAX_NAMES);
      return names.map((name) => unknownName("argument", shownName(name), name, Object.keys(shape))).join(" ");
    },
  });

export const idInput = (of: string) => z.string().min(1).max(1000).describe(`The ID of ${of}`);
export const limitInput = z.int().min(1).max(50).default(20).describe("Maximum number of results");
const time = z.string().max(40);
export const eventFilterInput = {
  type: z.array(z.string().max(200)).max(20).optional().describe("Event types, for example document.error"),
  state: z.array(z.enum(["pending", "processed", "failed", "unrecognised"])).optional(),
  source: z.string().max(100).optional(),
  resource: z.string().max(600).optional().describe("The ID of a document, task, run…: doc_1 or document:doc_1"),
  q: z.string().max(200).optional().describe("Words in the payload, or fields, for example data.status:failed"),
  period: z.enum(["1h", "24h", "7d", "30d"]).optional(),
  from: time.optional().describe("Received at or after this time, ISO 8601 with time zone"),
  to: time.optional().describe("Received before this time"),
};

export const rowsOf = <T>(answer: unknown): { data: T[]; nextCursor: string | null } => answer as { data: T[]; nextCursor: string | null };
