import { type Installation, OWNER } from "../installation.ts";

type Reached = Pick<Installation, "url" | "apiKey">;
export type Answer<T> = { status: number; body: T };

/** An installation as its own programs and its owner's browser reach it. */
export class Api {
  private readonly installation: Reached;
  private cookies = "";

  constructor(installation: Reached) {
    this.installation = installation;
  }

  /** @returns the answer, whatever its status; its body as JSON */
  async ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const { url, apiKey } = this.installation;
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", connection: "close" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === "" ? null : JSON.parse(text)) as T };
  }

  /** @returns the body of the answer @throws Error where it is none of success */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Sends a webhook to a source. */
  async send<T = unknown>(source: string, body: string, headers: Record<string, string>): Promise<Answer<T>> {
    const answer = await fetch(`${this.installation.url}/webhooks/${source}`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close", ...headers },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as T };
  }

  /** @returns the events of a source as they are exported */
  async exported(source: string): Promise<string> {
    const { url, apiKey } = this.installation;
    const headers = { authorization: `Bearer ${apiKey}`, connection: "close" };
    return (await fetch(`${url}/api/v1/events/export?format=ndjson&source=${source}`, { headers })).text();
  }

  /** @returns a page as the owner's browser gets it */
  async page(path: string): Promise<Answer<string>> {
    if (this.cookies === "") await this.signIn();
    const answer = await fetch(`${this.installation.url}${path}`, { headers: { cookie: this.cookies }, redirect: "manual" });
    return { status: answer.status, body: await answer.text() };
  }

  private async signIn(): Promise<void> {
    const { url } = this.installation;
    const csrf = await fetch(`${url}/api/auth/csrf`);
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const body = new URLSearchParams({ csrfToken, ...OWNER, json: "true", callbackUrl: "/" });
    const headers = { cookie: cookiesOf(csrf) };
    const answer = await fetch(`${url}/api/auth/callback/credentials`, { method: "POST", body, headers, redirect: "manual" });
    await answer.arrayBuffer();
    this.cookies = `${headers.cookie}; ${cookiesOf(answer)}`;
  }
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
