import { AppError } from "#lib/contracts/api/app-error";
import { problemResponse } from "#lib/http/problem";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

type Rejection = (() => Promise<Response>) & {
  /** Marks a method that the URL does not accept, for code that lists routes. */
  rejects: true;
};

/** Returns handlers for OPTIONS and methods not in `taken`: a problem with `Allow` (RFC 9110 section 15.5.6); Next would send no body. */
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
