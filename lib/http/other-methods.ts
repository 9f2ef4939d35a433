import { AppError } from "#lib/contracts/app-error";
import { problemResponse } from "./problem.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

type Refusal = (() => Promise<Response>) & {
  /** Marks a method that the address does not take, for whoever lists routes. */
  refuses: true;
};

/**
 * What an address answers to every method that it does not take: a problem
 * (RFC 9457) that names the others in `Allow` (RFC 9110 section 15.5.6), where
 * Next would answer with nothing. And what it takes, to OPTIONS.
 *
 * @param taken the methods that the route file exports
 */
export function otherMethods<M extends Method>(taken: Record<M, unknown>): Record<Exclude<Method, M>, Refusal> & { OPTIONS: Refusal } {
  const allowed = METHODS.filter((method) => method in taken).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const allow = [...allowed, "OPTIONS"].join(", ");
  const refuse = answering(() =>
    problemResponse(new AppError("method_not_allowed", `This address takes ${allowed.join(" and ")}.`), { allow }),
  );
  const others = METHODS.filter((method) => !(method in taken)).map((method) => [method, refuse]);
  return { ...Object.fromEntries(others), OPTIONS: answering(() => new Response(null, { status: 204, headers: { allow } })) };
}

const answering = (answer: () => Response): Refusal => Object.assign(async () => answer(), { refuses: true as const });
