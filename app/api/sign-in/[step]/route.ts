import { AppError } from "#lib/contracts/api/app-error";
import { SIGN_IN_STEPS } from "#lib/flows/sign-in/sign-in-steps";
import { problemResponse } from "#lib/http/problem";

/** Runs a step of sign-in or of setting up a second factor. Each step checks which sessions may take it. */
export async function POST(request: Request, context: { params: Promise<{ step: string }> }): Promise<Response> {
  const step = SIGN_IN_STEPS.get((await context.params).step);
  return step ? step(request) : problemResponse(new AppError("not_found", "There is no such step of sign-in."));
}
