import { AppError } from "#lib/contracts/api/app-error";
import { problemResponse } from "#lib/http/problem";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

type Rejection = (() => Promise<Response>) & {
  /** Marks a method that the address does not take, for whoever lists routes. */
  rejects: true;
};

/**
 * Returns what an address answers to every method that it does not take: a problem
 * (RFC 9457) that names the others in `Allow` (RFC 9110 section 15.5.6), where
 * Next would answer with nothing. And what it takes, to OPTIONS.
 *
 * @param taken the methods that the route file exports
 */
export function otherMethods<M extends Method>(taken: Record<M, unknown>): Record<Exclude<Method, M>, Rejection> & { OPTIONS: Rejection } {
  const allowed = METHODS.filter((method) => method in taken).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const allow = [...allowed, "OPTIONS"].join(", ");
  const reject = answering(() =>
    problemResponse(new AppError("method_not_allowed", `This URL accepts ${allowed.join(" and ")}.`), { allow }),
  );
  const others = METHODS.filter((method) => !(method in taken)).map((method) => [method, reject]);
  return { ...Object.fromEntries(others), OPTIONS: answering(() => new Response(null, { status: 204, headers: { allow } })) };
}

const answering = (answer: () => Response): Rejection => Object.assign(async () => answer(), { rejects: true as const });
