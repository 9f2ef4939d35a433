import { parseAllDocuments } from "yaml";

/** YAML as Kubernetes, Prometheus and Docker read it: `off` without quotes is false, and `<<` merges. */
export const YAML_OF_GO = { version: "1.1" } as const;

type Objects = { [name: string]: unknown };

/** Reads the objects of a file. A key that stands twice is an error. */
export function readObjects(text: string): Objects[] {
  return parseAllDocuments(text, YAML_OF_GO).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    const object: Objects | null = document.toJS();
    return object === null ? [] : [object];
  });
}

export function readObject(text: string): Objects {
  const [first, ...others] = readObjects(text);
  if (!first || others.length > 0) throw new Error("not one object");
  return first;
}
