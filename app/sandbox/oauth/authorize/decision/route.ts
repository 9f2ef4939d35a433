import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { answerDecision } from "#lib/sandbox/oauth/authorize-endpoint";

/** Approve or deny, from the dialog's form (platform-spec, OAuth step 2 follows). */
export const POST = whileSandboxOn(async (request: Request) => answerDecision(request, new Date()));
