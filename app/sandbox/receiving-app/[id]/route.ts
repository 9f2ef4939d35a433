import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { receiveForwarded } from "#lib/sandbox/receiving-app";

export const POST = whileSandboxOn(async (request: Request, context: { params: Promise<{ id: string }> }) =>
  receiveForwarded((await context.params).id, request),
);
