import type { Problem } from "#lib/contracts/api/problem";

/** A response other than 2xx (RFC 9457). Its message is the `detail`, for people; `code` is stable: branch on it. */
export class ApiProblem extends Error {
  override name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: { path: string; message: string }[];

  readonly retryAfterSeconds: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super(problem.detail ?? problem.title);
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail ?? problem.title;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errors = problem.errors ?? [];
  }
}
