/** Pages by ID prefix. Only evt_, doc_ and org_ are documented by the platform; its other prefixes are assumptions. */
const PREFIXES: Record<string, { path: string; word: string }> = {
  evt: { path: "/events", word: "event" },
  doc: { path: "/documents", word: "document" },
  task: { path: "/tasks", word: "task" },
  tsk: { path: "/tasks", word: "task" },
  pipe: { path: "/pipelines", word: "pipeline" },
  pl: { path: "/pipelines", word: "pipeline" },
  auto: { path: "/automations", word: "automation" },
  aut: { path: "/automations", word: "automation" },
  run: { path: "/runs", word: "automation run" },
  int: { path: "/integrations", word: "integration" },
  iss: { path: "/issues", word: "issue" },
  con: { path: "/connections", word: "connection" },
};

/** Returns the page of a typed or pasted ID; null if it doesn't look like one. */
export function jumpTarget(text: string): { href: string; word: string } | null {
  const id = text.trim();
  const prefix = /^([a-z]{2,5})_\S+$/i.exec(id)?.[1]?.toLowerCase() ?? "";
  const target = PREFIXES[prefix];
  return target ? { href: `${target.path}/${encodeURIComponent(id)}`, word: target.word } : null;
}
